// Package pdf draws invoices, credit notes and overdue notices as PDF files with embedded fonts. The
// same input gives the same bytes, in any process and at any time. It knows no database, no queue, no
// clock and no rule of dunning: it shows the amounts, dates and lines that it is given.
package pdf
