// Package foreign judges the letters of any other system (rule U9). It reads three CSV files, of invoices, payments and notices, joins
// them, and says which charges were unlawful, why, and what is to be paid back to whom. It needs no installation, and knows nothing of purr's rows and rules: of a foreign
// letter only the law can be asked.
//
// Open finds the files in a folder or a zip, and refuses a hostile one. Read takes them whole or not at all: its error has each fault
// with its file, line and column. Set.Judge asks the questions, invoice by invoice, by audit/reckoning. What is said
// of a letter stands in a table of codes, with its law and its words in three languages.
//
// Columns lists what may stand in the files, and Template writes them with examples.
package foreign
