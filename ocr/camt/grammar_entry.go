package camt

import "purr/models"

// entryRules are the elements of an entry, without its transactions.
func entryRules() []rule {
	entry := func(r *Reader) *EntryHeader { return &r.entry.EntryHeader }
	status := func(r *Reader) *string { return &entry(r).Status }
	booked := func(r *Reader) *models.Date { return &entry(r).Booked }
	valued := func(r *Reader) *models.Date { return &entry(r).Value }
	return []rule{
		many(parts("Ntfctn/Ntry", (*Reader).startEntry, (*Reader).endEntry)),
		text("Ntfctn/Ntry/NtryRef", 35, func(r *Reader) *string { return &entry(r).Reference }),
		needed(amount("Ntfctn/Ntry/Amt", func(r *Reader) *money { return &r.booking.amount })),
		needed(code("Ntfctn/Ntry/CdtDbtInd", func(r *Reader) *string { return &entry(r).Direction }, Credit, Debit)),
		yesNo("Ntfctn/Ntry/RvslInd", func(r *Reader) *bool { return &entry(r).Reversal }),
		in02(needed(code("Ntfctn/Ntry/Sts", status, StatusBooked, "PDNG", "INFO"))),
		in08(needed(parts("Ntfctn/Ntry/Sts", nil, (*Reader).endStatus))),
		in08(text("Ntfctn/Ntry/Sts/Cd", 4, status)),
		in08(anyText("Ntfctn/Ntry/Sts/Prtry", (*Reader).ownStatus)),
		date("Ntfctn/Ntry/BookgDt/Dt", booked),
		moment("Ntfctn/Ntry/BookgDt/DtTm", booked),
		date("Ntfctn/Ntry/ValDt/Dt", valued),
		moment("Ntfctn/Ntry/ValDt/DtTm", valued),
		text("Ntfctn/Ntry/AcctSvcrRef", 35, func(r *Reader) *string { return &entry(r).BankReference }),
		anyText("Ntfctn/Ntry/BkTxCd/Domn/Cd", (*Reader).bankCode),
		anyText("Ntfctn/Ntry/BkTxCd/Domn/Fmly/Cd", (*Reader).bankCode),
		anyText("Ntfctn/Ntry/BkTxCd/Domn/Fmly/SubFmlyCd", (*Reader).bankCode),
		anyText("Ntfctn/Ntry/BkTxCd/Prtry/Cd", (*Reader).ownBankCode),
		many(parts("Ntfctn/Ntry/Chrgs", (*Reader).charge, nil)),
		many(parts("Ntfctn/Ntry/NtryDtls", (*Reader).startDetails, (*Reader).endDetails)),
		number("Ntfctn/Ntry/NtryDtls/Btch/NbOfTxs", func(r *Reader) *int { return &r.booking.batch.number }),
		amount("Ntfctn/Ntry/NtryDtls/Btch/TtlAmt", func(r *Reader) *money { return &r.booking.batch.sum }),
	}
}

// transactionRules are the elements of a transaction, and the last element of the entry, which follows the
// transactions.
func transactionRules() []rule {
	const tx = "Ntfctn/Ntry/NtryDtls/TxDtls"
	const party = tx + "/RltdPties/"
	name := func(r *Reader) *string { return &r.tx.name }
	payer := func(r *Reader) *string { return &r.tx.debitAccount }
	rules := []rule{
		many(parts(tx, (*Reader).startTransaction, (*Reader).endTransaction)),
		text(tx+"/Refs/AcctSvcrRef", 35, func(r *Reader) *string { return &r.tx.bankReference }),
		text(tx+"/Refs/EndToEndId", 35, func(r *Reader) *string { return &r.tx.endToEndID }),
		text(tx+"/Refs/TxId", 35, func(r *Reader) *string { return &r.tx.transactionID }),
		in08(amount(tx+"/Amt", func(r *Reader) *money { return &r.tx.amount })),
		in08(code(tx+"/CdtDbtInd", func(r *Reader) *string { return &r.tx.direction }, Credit, Debit)),
		amount(tx+"/AmtDtls/TxAmt/Amt", func(r *Reader) *money { return &r.tx.detailed }),
		many(parts(tx+"/Chrgs", (*Reader).charge, nil)),
		in02(text(party+"Dbtr/Nm", 140, name)),
		in08(text(party+"Dbtr/Pty/Nm", 140, name)),
		in08(text(party+"Dbtr/Agt/FinInstnId/Nm", 140, name)),
		account(party+"DbtrAcct/Id/IBAN", payer),
		account(party+"DbtrAcct/Id/Othr/Id", payer),
		in02(text(party+"UltmtDbtr/Nm", 140, func(r *Reader) *string { return &r.tx.ultimateName })),
		in08(text(party+"UltmtDbtr/Pty/Nm", 140, func(r *Reader) *string { return &r.tx.ultimateName })),
		many(anyText(tx+"/RmtInf/Ustrd", (*Reader).freeText)),
	}
	rules = append(rules, referenceRules(tx+"/RmtInf/Strd")...)
	return append(rules,
		moment(tx+"/RltdDts/AccptncDtTm", func(r *Reader) *models.Date { return &r.tx.bankDate }),
		anyText(tx+"/AddtlTxInf", (*Reader).freeText),
		anyText("Ntfctn/Ntry/AddtlNtryInf", (*Reader).entryText),
	)
}

// referenceRules are the elements of one invoice or credit note that a payment is for.
func referenceRules(path string) []rule {
	reference := func(r *Reader) *reference { return &r.tx.references[len(r.tx.references)-1] }
	return []rule{
		many(parts(path, (*Reader).startReference, (*Reader).endReference)),
		many(parts(path+"/RfrdDocInf", nil, (*Reader).endDocument)),
		text(path+"/RfrdDocInf/Tp/CdOrPrtry/Cd", 35, func(r *Reader) *string { return &r.document.code }),
		text(path+"/RfrdDocInf/Tp/CdOrPrtry/Prtry", 35, func(r *Reader) *string { return &r.document.code }),
		text(path+"/RfrdDocInf/Nb", 35, func(r *Reader) *string { return &r.document.number }),
		amount(path+"/RfrdDocAmt/CdtNoteAmt", func(r *Reader) *money { return &reference(r).deducted }),
		amount(path+"/RfrdDocAmt/RmtdAmt", func(r *Reader) *money { return &reference(r).remitted }),
		text(path+"/CdtrRefInf/Tp/CdOrPrtry/Cd", 35, func(r *Reader) *string { return &reference(r).code }),
		text(path+"/CdtrRefInf/Tp/Issr", 35, func(r *Reader) *string { return &reference(r).issuer }),
		text(path+"/CdtrRefInf/Ref", 35, func(r *Reader) *string { return &reference(r).number }),
		many(anyText(path+"/AddtlRmtInf", (*Reader).freeText)),
	}
}
