#!/usr/bin/env bash
# Makes before-D94.db.gz: the database of a creditor whose program was the last one before rules D94 to D98 were kept (commit bf430fdf). All is
# done through that program's own interface and command line; see README.md for what becomes of each invoice.
#
#   git worktree add ../before-D94 bf430fdf && (cd ../before-D94 && go build -o purr ./cmd/purr)
#   test/audit/testdata/before-D94.sh ../before-D94/purr 19294 test/audit/testdata/before-D94.db.gz
set -euo pipefail
purr=$1 port=$2 out=$3
data=$(mktemp -d)
base=http://127.0.0.1:$port/api/v1

"$purr" serve --data "$data" --listen "127.0.0.1:$port" --test-clock 2026-01-05T11:00:00+01:00 2>"$data/log" &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
until curl -sf "http://127.0.0.1:$port/readyz" >"$data/ready"; do :; done
"$purr" creditor set default --data "$data" --name 'Fjord Rør AS' --organisation-number 974760673 --bank-account 12345678903 \
  --address1 'Torget 1' --postal-code 0155 --postal-name Oslo --email faktura@example.no --fallback '' >"$data/creditor"
key=$("$purr" keys create --data "$data" --scope admin)

ask() { curl -sS --fail-with-body -H "Authorization: Bearer $key" -H 'Content-Type: application/xml' "$@"; }
post() { ask -X POST --data "$2" "$base$1"; }
path() { grep -o '<'"$1"' uri="[^"]*' | head -1 | sed 's|.*/api/v1||'; }
reach() { post /test_clock "<test_clock><now>$1</now></test_clock>" >"$data/clock"; }
customer() {
  post /customers "<customer><name1>$1</name1><address1>Kirkeveien 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></customer>" | path customer
}
invoice() { # customer, amount
  post /invoices "<invoice><num_due_days>14</num_due_days><recipient uri=\"/api/v1$1\"/><lines><line><line_text>Arbeid</line_text><unit_price>$2</unit_price><num_items>1</num_items><vat_rate>NONE</vat_rate></line></lines><shipments><shipment type=\"original\"><shipment_method>PAPER</shipment_method></shipment></shipments></invoice>" | path invoice
}
to() { invoice "$(customer "$1")" "$2"; }
pay() { # invoice, amount of the entry, day of it; $paid is the entry then
  paid=$(post "$1/ar_transactions" "<ar_transaction><amount>$2</amount><transaction_date>$3</transaction_date></ar_transaction>" | path ar_transaction)
}
notice() { # invoice, whether a warning
  post "$1/overdue_notices" "<overdue_notice><add_overdue_charge>1</add_overdue_charge><add_interest>1</add_interest><is_incasso_notice>$2</is_incasso_notice></overdue_notice>" >"$data/notice"
}
notice_of() { # invoice, which
  ask "$base$1" | grep -o '/overdue_notice/[0-9]*' | awk '!seen[$0]++' | sed -n "$2p"
}
shipment() { # document
  ask "$base/shipments/?document=/api/v1$1" | path shipment | sed 's|.*/||'
}
report() { # document, state, moment
  "$purr" shipments report --data "$data" "$(shipment "$1")" "$2" --at "$3" >"$data/report"
}

ask -X PUT --data '<creditor><dunning_policy><enabled>1</enabled><require_payment_file>0</require_payment_file><minimum_balance>200.00</minimum_balance></dunning_policy></creditor>' "$base/creditor" >"$data/policy"

# 5 January: all invoices, due on the 19th.
late_warning=$(to 'Anne Amundsen' 2000.00)
late_reminder=$(to 'Bjarne Berg' 1500.00)
alike=$(for name in Aas Bakke Dal Enger Foss Grav Haug Ibsen; do to "Nils $name" 499.00; done)
moved_to=$(customer 'Cecilie Carlsen')
moved=$(invoice "$moved_to" 1000.00)
got=$(invoice "$moved_to" 5000.00)
paid_out=$(to 'Dag Dahl' 1000.00)
minimum=$(to 'Eva Eide' 1000.00)
charges=$(to 'Frode Fjeld' 1000.00)
rich=$(customer 'Guro Gran')
covered=$(invoice "$rich" 800.00)
overpaid=$(invoice "$rich" 1000.00)
failed=$(to 'Hanne Holm' 1200.00)
returned=$(to 'Ivar Iversen' 1300.00)
unpaid=$(to 'Jon Juell' 1400.00)
in_time=$(to 'Kari Knutsen' 1600.00)
part=$(to 'Liv Lund' 1700.00)
shielded=$(to 'Mari Moe' 555.00)

reach 2026-01-15T12:00:00+01:00
pay "$in_time" -1600.00 2026-01-15
pay "$moved" -6000.00 2026-01-15
moved_money=$paid
post "$moved_to/settle" '<settle/>' >"$data/settled" # 5 000.00 go to the other invoice
pay "$paid_out" -6000.00 2026-01-15
paid_out_money=$paid
pay "$paid_out" 5000.00 2026-01-15

# Two payments without a KID: of what eight invoices owe, and of what one owes. Then seven of the eight are paid.
reach 2026-01-20T12:00:00+01:00
printf '12345678903,,%s,2026-01-19,,86011117947,,Takk\n' 499.00 555.00 | "$purr" ocr generate --format camt.054 --date 2026-01-20 --seed 95 --from - >"$data/payments.xml"
ask -X POST --data-binary "@$data/payments.xml" "$base/payment_files/?filename=payments.xml" >"$data/imported"
reach 2026-01-22T12:00:00+01:00
for i in $(echo "$alike" | head -7); do pay "$i" -499.00 2026-01-21; done
last_alike=$(echo "$alike" | tail -1)
# The money of two invoices proves to be another's.
ask -X DELETE "$base$moved_money"
ask -X DELETE "$base$paid_out_money"

reach 2026-02-02T12:00:00+01:00 # the reminders
reach 2026-02-04T12:00:00+01:00
pay "$minimum" -900.00 2026-01-30   # so 100.00 were owed when the reminder was issued
pay "$overpaid" -3000.00 2026-01-30 # so the customer had 2 000.00 to its credit
report "$failed" failed 2026-01-06T10:00:00+01:00
report "$returned" returned 2026-01-20T10:00:00+01:00
pay "$part" -500.00 2026-02-04
reach 2026-02-05T12:00:00+01:00
report "$(notice_of "$late_reminder" 1)" sent 2026-02-05T10:00:00+01:00

reach 2026-03-02T12:00:00+01:00 # the warnings
notice "$late_reminder" 1       # by hand: the run waits, and the act asks for 14 days after the real deadline
reach 2026-03-05T12:00:00+01:00
pay "$charges" -1000.00 2026-02-27 # so only fee and interest were owed when the warning was issued
report "$(notice_of "$late_warning" 2)" sent 2026-03-05T10:00:00+01:00
reach 2026-03-17T12:00:00+01:00
post "$late_warning/debt_collection" '<debt_collection/>' >"$data/handed_over"
reach 2026-03-18T12:00:00+01:00

cat <<NAMES
late warning $late_warning
late reminder $late_reminder
last alike $last_alike
moved $moved
moved to $got
paid out $paid_out
below minimum $minimum
only charges $charges
covered $covered
overpaid $overpaid
failed $failed
returned $returned
unpaid $unpaid
in time $in_time
part $part
shielded $shielded
NAMES
kill $server
wait $server || true
trap - EXIT
sqlite3 "$data/purr.db" "VACUUM INTO '$data/small.db'"
gzip -9 -n -c "$data/small.db" >"$out"
rm -r "$data"
