// Package asked has the audits that a person asks for and that are kept: it starts them, and does them some invoices at a time (rule U5).
//
// It knows the audit and the store, and nothing of what is audited. What was found is put right elsewhere.
package asked
