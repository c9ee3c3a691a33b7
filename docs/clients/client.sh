#!/bin/sh
# A client of purr: curl asks, jq reads JSON, openssl checks signatures.
#
#   client.sh order FILE    orders the invoice in FILE, once, however often it is run
#   client.sh events        tells what has happened since the last time
#   client.sh webhook       takes an event that purr posts; a web server runs it as a CGI program
#
# PURR is the address, such as https://invoices.example.no/api/v1, KEY an API key, SECRET the webhook's.
# Exit code 75: no answer yet, run it again. 1: refused.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "$2" >&2 && exit "$1"; }

# write_down FILE keeps its input in a file that is there as a whole or not at all.
write_down() { cat >"$1.new" && sync "$1.new" && mv "$1.new" "$1"; }

# ask OPTIONS... PATH leaves purr's answer in $work/answer. After 429 and 503 curl waits as long as Retry-After says, after other
# failures 1, 2, 4 … seconds. It gives up after eight more tries.
ask() {
	status=$(curl --silent --show-error --max-time 30 --retry 8 --retry-all-errors --user "$KEY:" \
		--header 'Accept: application/json' --output "$work/answer" --write-out '%{http_code}' "$@") || exit 75
	case $status in
	2*) return ;;
	429 | 5*) fail 75 "purr answers $status" ;;
	esac
	codes=$(jq -r '.errors[].code' "$work/answer")
	jq -r '.errors[] | "\(.code) \(.pointer // .parameter // ""): \(.detail)"' "$work/answer" >&2
	case $codes in idempotency_in_progress) exit 75 ;; idempotency_*) exit 1 ;; esac
	[ -z "${key_file:-}" ] || rm "$key_file" # nothing was made; what is corrected is another order
	exit 1
}

order() {
	key_file=$1.key
	if [ ! -e "$1.answer" ]; then
		# The key is written down before it is used. Whatever happens then, the next run asks with the same one.
		[ -e "$key_file" ] || openssl rand -hex 16 | write_down "$key_file"
		# After 24 hours purr has forgotten the key, and would make a second invoice.
		[ -z "$(find "$key_file" -mmin +1380)" ] || fail 1 "$key_file is a day old: look whether the invoice is there"
		ask --header 'Content-Type: application/json' --header "Idempotency-Key: $(cat "$key_file")" --data-binary "@$1" "$PURR/invoices"
		write_down "$1.answer" <"$work/answer"
	fi
	jq -r '"invoice \(.invoice_number) \(.uri)"' "$1.answer"
}

events() {
	while :; do
		ask "$PURR/events?after=$(cat events.after 2>/dev/null || echo 0)"
		jq -r '.events[] | "\(.id) \(.type)"' "$work/answer" >"$work/events"
		[ -s "$work/events" ] || return 0
		while read -r id type; do
			echo "event $id $type" # here your program does what follows from it
			echo "$id" | write_down events.after
		done <"$work/events"
	done
}

# hmac KEY_IN_HEX prints the HMAC of its input in hex.
hmac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" | sed 's/.* //'; }

# verified says whether the message is purr's (Standard Webhooks). While an old secret counts there are several signatures.
verified() {
	case ${HTTP_WEBHOOK_TIMESTAMP:-} in '' | *[!0-9]*) return 1 ;; esac
	age=$(($(date +%s) - HTTP_WEBHOOK_TIMESTAMP))
	[ "$age" -le 300 ] && [ "$age" -ge -300 ] || return 1
	key=$(printf %s "${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
	[ -n "$key" ] || return 1
	right=$({ printf %s "${HTTP_WEBHOOK_ID:-}.$HTTP_WEBHOOK_TIMESTAMP." && cat "$work/body"; } |
		openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
	# Compared are the HMACs of both by a key that nobody knows: how long that takes tells nothing of the right one.
	random=$(openssl rand -hex 32)
	right=$(printf 'v1,%s' "$right" | hmac "$random")
	set -f
	for signature in ${HTTP_WEBHOOK_SIGNATURE:-}; do
		[ "$(printf %s "$signature" | hmac "$random")" = "$right" ] && return 0
	done
	return 1
}

webhook() {
	cat >"$work/body"
	if ! verified; then
		printf 'Status: 401\r\n\r\n'
	else
		# An id that was there before is a replay, or purr did not hear the answer: it is taken, and nothing done.
		if ! grep -qxF "$HTTP_WEBHOOK_ID" webhook.seen 2>/dev/null; then
			echo "webhook $HTTP_WEBHOOK_ID" >&2 # here your program does what follows from $work/body
			echo "$HTTP_WEBHOOK_ID" >>webhook.seen
		fi
		printf 'Status: 204\r\n\r\n'
	fi
}

case ${1:-} in
order) order "$2" ;;
events) events ;;
webhook) webhook ;;
*) fail 64 "usage: client.sh order FILE | events | webhook" ;;
esac
