// Package audits has the audit look each night at what changed, and stops dunning where the law was not kept (rule U7). It knows the audit,
// which knows nothing of dunning, and the acts of dunning.
package audits
