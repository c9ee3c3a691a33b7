// A client of purr, of Node's own modules alone (20 or later).
//
//   client.ts order FILE         orders the invoice in FILE, once, however often it is run
//   client.ts events             tells what has happened since the last time
//   client.ts webhook HOST PORT  takes the events that purr posts
//
// PURR is the address, such as https://invoices.example.no/api/v1, KEY an API key, SECRET the webhook's.
// Exit code 75: no answer yet, run it again. 1: refused.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const { PURR = "", KEY = "", SECRET = "" } = process.env;

type Fault = { code: string; pointer?: string; parameter?: string; detail: string };
type Invoice = { uri: string; invoice_number: number };
type Event = { id: number; type: string };

// Refused: purr says no. Its codes say why; the same request again would get the same answer.
class Refused extends Error {
  codes: string[];
  constructor(errors: Fault[]) {
    super(errors.map((e) => `${e.code} ${e.pointer ?? e.parameter ?? ""}: ${e.detail}`).join("\n"));
    this.codes = errors.map((e) => e.code);
  }
}

// ask asks until purr answers, nine times at most. After 429 and 503 it waits as long as Retry-After says, else 1, 2, 4 … seconds.
async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers = { ...init.headers, Authorization: `Bearer ${KEY}`, Accept: "application/json" };
  let pause = 1;
  let why: unknown;
  for (let attempt = 0; attempt < 9; attempt++) {
    let wait: number | undefined;
    try {
      const answer = await fetch(PURR + path, { ...init, headers, signal: AbortSignal.timeout(30_000) });
      if (answer.ok) return (await answer.json()) as T;
      why = `status ${answer.status}`;
      const after = answer.headers.get("Retry-After") ?? "";
      wait = /^\d+$/.test(after) ? Number(after) : undefined;
      if (answer.status !== 429 && answer.status < 500) {
        const refused = new Refused(((await answer.json()) as { errors: Fault[] }).errors);
        if (refused.codes[0] !== "idempotency_in_progress") throw refused;
      }
      await answer.body?.cancel();
    } catch (e) {
      if (e instanceof Refused) throw e;
      why = e; // no answer, or half of one
    }
    if (attempt < 8) await sleep(1000 * (wait ?? pause));
    pause = Math.min(2 * pause, 60);
  }
  console.error("no answer:", why);
  process.exit(75);
}

// writeDown keeps a text in a file that is there as a whole or not at all.
function writeDown(path: string, text: string) {
  const file = openSync(`${path}.new`, "w");
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
}

const read = (path: string, otherwise: string) => (existsSync(path) ? readFileSync(path, "utf8") : otherwise);

async function order(path: string) {
  if (!existsSync(`${path}.answer`)) {
    // The key is written down before it is used. Whatever happens then, the next run asks with the same one.
    if (!existsSync(`${path}.key`)) writeDown(`${path}.key`, randomUUID());
    // After 24 hours purr has forgotten the key, and would make a second invoice.
    const age = Date.now() - statSync(`${path}.key`).mtimeMs;
    if (age > 23 * 3600_000) throw new Error(`${path}.key is a day old: look whether the invoice is there`);
    try {
      const headers = { "Content-Type": "application/json", "Idempotency-Key": read(`${path}.key`, "") };
      writeDown(`${path}.answer`, JSON.stringify(await ask<Invoice>("/invoices", { method: "POST", headers, body: readFileSync(path) })));
    } catch (e) {
      // Nothing was made; what is corrected is another order.
      if (e instanceof Refused && !e.codes.some((code) => code.startsWith("idempotency_"))) rmSync(`${path}.key`);
      throw e;
    }
  }
  const invoice = JSON.parse(read(`${path}.answer`, "")) as Invoice;
  console.log("invoice", invoice.invoice_number, invoice.uri);
}

async function events() {
  for (;;) {
    const page = await ask<{ events: Event[] }>(`/events?after=${read("events.after", "0")}`);
    if (page.events.length === 0) return;
    for (const event of page.events) {
      console.log("event", event.id, event.type); // here your program does what follows from it
      writeDown("events.after", String(event.id));
    }
  }
}

// verified says whether the message is purr's (Standard Webhooks). While an old secret counts there are several signatures.
function verified(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const [id, stamp, signatures] = ["id", "timestamp", "signature"].map((name) => String(headers[`webhook-${name}`] ?? ""));
  if (!/^\d+$/.test(stamp) || Math.abs(Date.now() / 1000 - Number(stamp)) > 300) return false;
  const key = Buffer.from(SECRET.replace(/^whsec_/, ""), "base64");
  if (key.length === 0) return false;
  const right = Buffer.from("v1," + createHmac("sha256", key).update(`${id}.${stamp}.`).update(body).digest("base64"));
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

function webhook(host: string, port: string) {
  const seen = new Set(read("webhook.seen", "").split("\n"));
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of request) {
      if ((size += part.length) > 1 << 20) return request.destroy();
      parts.push(part);
    }
    if (!verified(request.headers, Buffer.concat(parts))) return response.writeHead(401).end();
    // An id that was there before is a replay, or purr did not hear the answer: it is taken, and nothing done.
    const id = String(request.headers["webhook-id"]);
    if (!seen.has(id)) {
      console.log("webhook", id); // here your program does what follows from the body
      appendFileSync("webhook.seen", id + "\n");
      seen.add(id);
    }
    response.writeHead(204).end();
  });
  server.listen(Number(port), host, () => console.log(`listening on http://${host}:${(server.address() as AddressInfo).port}`));
}

const [command, ...words] = process.argv.slice(2);
try {
  if (command === "order" && words.length === 1) await order(words[0]);
  else if (command === "events") await events();
  else if (command === "webhook" && words.length === 2) webhook(words[0], words[1]);
  else throw new Error("usage: client.ts order FILE | events | webhook HOST PORT");
} catch (e) {
  console.error(e instanceof Error ? e.message : e);
  process.exit(1);
}
