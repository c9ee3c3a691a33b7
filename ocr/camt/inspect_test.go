package camt

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestInspectJSON_R5(t *testing.T) {
	for name, file := range map[string]string{
		"camt054-v02": sample(t, "camt054-v02.xml"),
		"camt054-v08": sample(t, "camt054-v08.xml"),
		"odd":         edited(ofAmount("90.00", ""), "<Acct>", "<CpyDplctInd>COPY</CpyDplctInd><Acct>", "</CreDtTm></GrpHdr>", "</CreDtTm><MsgRcpt><Id><OrgId><Othr><Id>00012345</Id></Othr></OrgId></Id></MsgRcpt></GrpHdr>"),
	} {
		t.Run(name, func(t *testing.T) {
			compact, err := json.Marshal(parsed(t, file))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			must(json.Indent(&out, compact, "", "  "))
			golden(t, "testdata/"+name+".json", out.String()+"\n")
		})
	}
}
