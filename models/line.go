package models

import "math/big"

// Price sets the line's net and gross amount (rule D13): net = unit price × items × (1 − discount/100)
// and VAT = net × percent, each rounded half away from zero to øre. It fails when either is beyond
// MaxAmount.
func (l *Line) Price() error {
	discount := int64(0)
	if l.Discount != nil {
		discount = int64(*l.Discount)
	}
	n := new(big.Int).Mul(big.NewInt(int64(l.UnitPrice)), big.NewInt(int64(l.NumItems)))
	n.Mul(n, big.NewInt(100*100-discount))
	// unit price is in 1/10 000 krone, items in 1/1 000, the discount factor in 1/10 000; øre are 1/100.
	net := roundDiv(n, big.NewInt(10_000*1_000*10_000/100))
	if !net.IsInt64() || Amount(net.Int64()) > MaxAmount || Amount(net.Int64()) < -MaxAmount {
		return Invalid("amount_too_large", "", "the line's amount is beyond %s", MaxAmount)
	}
	l.Net = Amount(net.Int64())
	l.Gross = l.Net + l.VATPercent.Of(l.Net)
	if l.Gross > MaxAmount || l.Gross < -MaxAmount {
		return Invalid("amount_too_large", "", "the line's amount including VAT is beyond %s", MaxAmount)
	}
	return nil
}

// Totals returns the sums of priced lines (rule D13). It fails when one is beyond MaxAmount or the
// gross amount is not above zero.
func Totals(lines []Line) (net, gross Amount, err error) {
	for _, l := range lines {
		net += l.Net
		gross += l.Gross
	}
	switch {
	case net > MaxAmount || gross > MaxAmount:
		return 0, 0, Invalid("amount_too_large", "lines", "the invoice's amount is beyond %s", MaxAmount)
	case gross <= 0:
		return 0, 0, Invalid("amount_not_positive", "lines", "the invoice's amount must be above zero, not %s", gross)
	}
	return net, gross, nil
}

// TableName names the store's table.
func (Line) TableName() string { return "invoice_lines" }
