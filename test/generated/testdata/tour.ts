// The tour of five minutes, with a client that openapi-typescript and openapi-fetch make of the OpenAPI document.
import createClient from "openapi-fetch";
import { readFileSync } from "node:fs";
import type { components, paths } from "./purr.js";

const purr = createClient<paths>({
  baseUrl: process.env.PURR!,
  headers: { Authorization: `Bearer ${process.env.KEY}`, Accept: "application/json" },
});

type Refusal = components["schemas"]["Problem"] | string;

// good returns the data of a good answer.
function good<T>(what: string, answer: { data?: T; error?: Refusal; response: Response }): T {
  if (answer.data === undefined) {
    throw new Error(`${what}: ${answer.response.status} ${JSON.stringify(answer.error)}`);
  }
  return answer.data;
}

// json narrows an answer to its form in JSON, which was asked for.
function json<T>(data: T): Exclude<T, string> {
  if (typeof data === "string") throw new Error(`not JSON: ${data}`);
  return data as Exclude<T, string>;
}

// id returns the number at the end of an address.
const id = (uri: string): number => Number(uri.slice(uri.lastIndexOf("/") + 1));

function holds(what: string, is: boolean): void {
  if (!is) throw new Error(`it does not hold that ${what}`);
}

const customer = json(good("a customer", await purr.POST("/api/v1/customers", {
  body: { name1: "Kari Nordmann", address1: "Storgata 1", postal_code: "0155", postal_name: "Oslo", email: "kari@example.no" },
})));
holds("the customer lives in Oslo", customer.postal_name === "Oslo");

const order = () => purr.POST("/api/v1/invoices", {
  params: { header: { "Idempotency-Key": "order-4711" } },
  body: {
    num_due_days: 14,
    recipient: { uri: customer.uri },
    lines: [{ line_text: "Rørleggerarbeid", unit_price: "950", num_items: 2.5, vat_rate: "HIGH" }],
    shipments: [{ type: "original", shipment_method: "EMAIL" }],
  },
});
const invoice = json(good("an invoice", await order()));
const again = json(good("the same invoice", await order()));
holds("it is one invoice", invoice.uri === again.uri && invoice.gross_amount === "2968.75");

const refused = await purr.POST("/api/v1/invoices", { body: { num_due_days: 14, recipient: { uri: customer.uri }, lines: [], shipments: [] } });
holds("an invoice without lines is refused", typeof refused.error === "object" && refused.error.errors[0].code === "required");

const pdf = good("its PDF", await purr.GET("/api/v1/invoice/{id}/pdf", {
  params: { path: { id: id(invoice.uri) } }, parseAs: "arrayBuffer",
}));
holds("it is a PDF", Buffer.from(pdf as ArrayBuffer).subarray(0, 5).toString() === "%PDF-");

const file = json(good("a payment file", await purr.POST("/api/v1/payment_files", {
  params: { query: { filename: "bank.txt" } },
  headers: { "Content-Type": "text/plain" },
  body: readFileSync(process.env.FILE!, "latin1"),
  bodySerializer: (text: string) => Buffer.from(text, "latin1"),
})));
const queue = json(good("the queue", await purr.GET("/api/v1/unmatched_payments", { params: { query: { status: "open" } } })));
holds("the file's payments wait", file.uri !== "" && queue.unmatched_payments.length > 0);

// No more files come, and dunning is not to wait for them.
const creditor = json(good("the creditor", await purr.PUT("/api/v1/creditor", { body: { dunning_policy: { require_payment_file: false } } })));
holds("it says so", creditor.dunning_policy.require_payment_file === false && creditor.dunning_policy.enabled);
good("the clock", await purr.POST("/api/v1/test_clock", { body: { now: "2026-03-30T05:00:00+02:00" } }));
const plan = json(good("the plan", await purr.GET("/api/v1/dunning_plan", {})));
holds("a notice is planned", (plan.notice ?? []).length > 0);

good("the clock again", await purr.POST("/api/v1/test_clock", { body: { now: "2026-04-10T12:00:00+02:00" } }));
const notices = json(good("the notices", await purr.GET("/api/v1/overdue_notices", {})));
const notice = json(good("a notice", await purr.GET("/api/v1/overdue_notice/{id}", { params: { path: { id: id(notices.overdue_notices[0].uri) } } })));
const late = json(good("the invoice", await purr.GET("/api/v1/invoice/{id}", { params: { path: { id: id(invoice.uri) } } })));
const its = late.overdue_notices.find((n) => n.uri === notice.uri);
holds("it is a reminder on the invoice", its?.is_incasso_notice === false && late.status === "overdue_notice_sent");

const events = json(good("the events", await purr.GET("/api/v1/events", { params: { query: { per_page: 1000 } } })));
holds("the invoice's making is told", events.events.some((e) => e.type === "invoice.created" && e.data.invoice?.uri === invoice.uri));
console.log("done");
