package pdf

import (
	"fmt"
	"os"
	"testing"

	"purr/models"
)

func TestZZ2(t *testing.T) {
	f, _ := prepared()
	for r := range f.glyphs {
		if isMark(r) {
			fmt.Printf("go mark %U\n", r)
		}
	}
	wf, err := wideFonts()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range "\u0301\u0323\u0328\u0331\u0308" {
		fmt.Printf("%U %+v\n", m, wf.glyph(m))
	}
	fmt.Printf("x %+v\n", wf.glyph('x'))
	for name, text := range map[string]string{
		"vietnamese": "Nguyễn Thị Phương Đặng Ỷ ổ ự Ắ — nhà số 5, Đường Trần Hưng Đạo",
		"african":    "Ɓɔɔlẹ́ Ọ̀ṣun Ẹ̀kọ́ ɖɛ Ŋkɔ̃ ɓɗƙ Ɛ̃ Ɔ̀ ǀXam !Kung ǁ ǂ ḓḽṋṱ ẅ m̀ n̂ ɔ̄̀",
		"european":   "Łódź Žižek Çelik İstanbul ġħŻ Ţț Ŵŷ Ḃ ẛ ẞ J̌ S̈ q̃ ə Ə x̣̌ g̃ G̃ ĳ į̇́",
		"greek":      "Ἀθῆναι Παπαδόπουλος Ὀδυσσεύς ᾧ ῥ ΐ",
		"cyrillic":   "Жуков Ґонґадзе Їжак Љубљана Ѓ Ќ Ў Ҕ Ӂ Ѳ Ӕ ө ү һ а́ е́ ы́",
		"signs":      "Blåbær 😊 日本 Ⅻ ＡＢＣ → № ♥ • Ñandú 中 slutt",
	} {
		in := shortInvoice("nb")
		in.Creditor.Name = text
		in.Invoice.Recipient.Name1 = text
		in.Invoice.Note = text + " — " + text + " og videre, og videre til linjen er full og brytes."
		in.Lines[0].Text = text
		b, err := Invoice(in)
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile("/tmp/printfonts/"+name+".pdf", b, 0o644)
		fmt.Println(name, len(b), models.LeftOut(text), models.Printed(text))
	}
}
