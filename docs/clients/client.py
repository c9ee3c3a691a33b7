"""A client of purr, of Python's standard library alone (3.9 or later).

    client.py order FILE         orders the invoice in FILE, once, however often it is run
    client.py events             tells what has happened since the last time
    client.py webhook HOST PORT  takes the events that purr posts

PURR is the address, such as https://invoices.example.no/api/v1, KEY an API key, SECRET the webhook's.
Exit code 75: no answer yet, run it again. 1: refused.
"""

import base64
import hashlib
import hmac
import http.client
import http.server
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


class Refused(Exception):
    """purr says no. Its codes say why; the same request again would get the same answer."""

    def __init__(self, errors):
        super().__init__("\n".join(f"{e['code']} {e.get('pointer') or e.get('parameter') or ''}: {e['detail']}" for e in errors))
        self.codes = [e["code"] for e in errors]


def ask(path, body=None, **headers):
    """Asks until purr answers, nine times at most. After 429 and 503 it waits as long as Retry-After says, else 1, 2, 4 … seconds."""
    headers = {"Authorization": "Bearer " + os.environ["KEY"], "Accept": "application/json", **headers}
    if body is not None:
        headers["Content-Type"] = "application/json"
    pause, why = 1, None
    for attempt in range(9):
        if attempt:
            time.sleep(pause if wait is None else wait)
            pause = min(2 * pause, 60)
        wait = None
        try:
            request = urllib.request.Request(os.environ["PURR"] + path, body, headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as e:
            why, after = e, e.headers.get("Retry-After", "")
            wait = int(after) if after.isdigit() else None
            if e.code != 429 and e.code < 500:
                refused = Refused(json.load(e)["errors"])
                if refused.codes != ["idempotency_in_progress"]:
                    raise refused from None
        except (OSError, http.client.HTTPException, ValueError) as e:  # no answer, or half of one
            why = e
    print(f"no answer: {why}", file=sys.stderr)
    sys.exit(75)


def write_down(path, text):
    """Keeps a text in a file that is there as a whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(text)
        f.flush()
        os.fsync(f.fileno())
    os.replace(path + ".new", path)


def read(path, otherwise=None):
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return otherwise


def order(path):
    answer = read(path + ".answer")
    if answer is None:
        # The key is written down before it is used. Whatever happens then, the next run asks with the same one.
        if not os.path.exists(path + ".key"):
            write_down(path + ".key", str(uuid.uuid4()))
        # After 24 hours purr has forgotten the key, and would make a second invoice.
        if time.time() - os.path.getmtime(path + ".key") > 23 * 3600:
            sys.exit(f"{path}.key is a day old: look whether the invoice is there")
        try:
            answer = json.dumps(ask("/invoices", read(path).encode(), **{"Idempotency-Key": read(path + ".key")}))
        except Refused as e:
            if not any(code.startswith("idempotency_") for code in e.codes):
                os.remove(path + ".key")  # nothing was made; what is corrected is another order
            raise
        write_down(path + ".answer", answer)
    invoice = json.loads(answer)
    print("invoice", invoice["invoice_number"], invoice["uri"])


def events():
    while True:
        page = ask("/events?after=" + read("events.after", "0"))["events"]
        if not page:
            return
        for event in page:
            print("event", event["id"], event["type"], flush=True)  # here your program does what follows from it
            write_down("events.after", str(event["id"]))


def verified(headers, body, secret):
    """Says whether the message is purr's (Standard Webhooks). While an old secret counts there are several signatures."""
    name, stamp, signatures = (headers.get("webhook-" + h, "") for h in ("id", "timestamp", "signature"))
    if not (stamp.isascii() and stamp.isdigit()) or abs(time.time() - int(stamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key:
        return False
    right = hmac.new(key, f"{name}.{stamp}.".encode() + body, hashlib.sha256).digest()
    right = b"v1," + base64.b64encode(right)
    return any(hmac.compare_digest(right, signature.encode()) for signature in signatures.split(" "))


class Endpoint(http.server.BaseHTTPRequestHandler):
    """Takes one event at a time."""

    timeout = 15
    seen = set(read("webhook.seen", "").split("\n"))

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1 << 20))
        name = self.headers.get("webhook-id", "")
        if not verified(self.headers, body, os.environ["SECRET"]):
            return self.answer(401)
        # An id that was there before is a replay, or purr did not hear the answer: it is taken, and nothing done.
        if name not in self.seen:
            print("webhook", name, flush=True)  # here your program does what follows from the body
            with open("webhook.seen", "a", encoding="utf-8") as f:
                f.write(name + "\n")
            self.seen.add(name)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


def webhook(host, port):
    with http.server.HTTPServer((host, int(port)), Endpoint) as server:
        print("listening on", "http://%s:%d" % server.server_address, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    commands = {"order": order, "events": events, "webhook": webhook}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    try:
        commands[sys.argv[1]](*sys.argv[2:])
    except Refused as e:
        sys.exit(str(e))
