#!/bin/sh
# Makes the secrets of deploy/compose.yaml, each a file, in deploy/secrets or in the folder that is named. What is there already stays, so
# it may be run again. Where the database is older than its secret, such as one of an earlier compose.yaml with the password purr, write that
# password into database-password first.
set -eu
umask 077

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder" # the files are readable, for the users of the containers; this folder is its owner's alone

# once FILE writes standard input into a file that is not there yet, whole or not at all.
once() {
	[ -e "$folder/$1" ] && { cat >/dev/null; return; }
	rm -f "$folder/$1.new" # of a run that was killed
	cat >"$folder/$1.new"
	[ -s "$folder/$1.new" ] || { echo "$0: nothing could be read for $1" >&2; exit 1; }
	chmod 444 "$folder/$1.new"
	mv "$folder/$1.new" "$folder/$1"
}
password() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }

password | once database-password
password | once redis-password
printf 'mysql://purr:%s@mariadb:3306/purr' "$(cat "$folder/database-password")" | once database-url
printf 'redis://:%s@redis:6379/0' "$(cat "$folder/redis-password")" | once redis-url
# The queue need not outlive Redis: what is owed stands in the database.
printf 'requirepass %s\nsave ""\nmaxmemory-policy noeviction\n' "$(cat "$folder/redis-password")" | once redis.conf
