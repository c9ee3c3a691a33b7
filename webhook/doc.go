// Package webhook posts events to the endpoints of creditors, signed as the Standard Webhooks
// specification says (rule E7), and tells what became of it. It knows nothing of the database or the
// queue: what is owed, and when to try again, is decided by its callers. The XML form of an event is its
// own, for api to show the same.
package webhook
