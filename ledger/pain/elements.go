package pain

import "encoding/xml"

// The elements of a file, in the order of the schema.

type document struct {
	XMLName    xml.Name `xml:"Document"`
	Namespace  string   `xml:"xmlns,attr"`
	Initiation struct {
		Header header `xml:"GrpHdr"`
		Batch  batch  `xml:"PmtInf"`
	} `xml:"CstmrCdtTrfInitn"`
}

type header struct {
	ID    string `xml:"MsgId"`
	Made  string `xml:"CreDtTm"`
	Count string `xml:"NbOfTxs"`
	Sum   string `xml:"CtrlSum"`
	Party named  `xml:"InitgPty"`
}

type batch struct {
	ID        string     `xml:"PmtInfId"`
	Method    string     `xml:"PmtMtd"`
	Count     string     `xml:"NbOfTxs"`
	Sum       string     `xml:"CtrlSum"`
	Day       string     `xml:"ReqdExctnDt>Dt"`
	Debtor    named      `xml:"Dbtr"`
	Account   account    `xml:"DbtrAcct"`
	Agent     agent      `xml:"DbtrAgt>FinInstnId"`
	Charges   string     `xml:"ChrgBr"`
	Transfers []transfer `xml:"CdtTrfTxInf"`
}

type named struct {
	Name string          `xml:"Nm,omitempty"`
	ID   *identification `xml:"Id"`
}

type identification struct {
	Number string `xml:"OrgId>Othr>Id"`
	Scheme string `xml:"OrgId>Othr>SchmeNm>Cd"`
}

type account struct {
	Number   string `xml:"Id>Othr>Id"`
	Scheme   string `xml:"Id>Othr>SchmeNm>Cd"`
	Currency string `xml:"Ccy"`
}

type agent struct {
	BIC   string `xml:"BICFI,omitempty"`
	Other string `xml:"Othr>Id,omitempty"`
}

type transfer struct {
	InstructionID string  `xml:"PmtId>InstrId"`
	EndToEndID    string  `xml:"PmtId>EndToEndId"`
	Amount        amount  `xml:"Amt>InstdAmt"`
	Creditor      named   `xml:"Cdtr"`
	Account       account `xml:"CdtrAcct"`
	Text          string  `xml:"RmtInf>Ustrd,omitempty"`
}

type amount struct {
	Currency string `xml:"Ccy,attr"`
	Value    string `xml:",chardata"`
}
