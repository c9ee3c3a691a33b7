package conformance_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// transmission writes an OCR giro file by hand: card purchases of so many kroner to one account, the texts with letters
// of ISO-8859-1.
func (in *installation) transmission(number, recipient int, account string, kroner ...int) string {
	day := in.Today().Time().Format("020106")
	lines := []string{
		fmt.Sprintf("NY000010%08d%07d%08d%049d", 8080, number, recipient, 0),
		fmt.Sprintf("NY090020%09d%07d%s%045d", 1, number, account, 0),
	}
	sum := 0
	for i, k := range kroner {
		sum += k
		lines = append(
			lines,
			fmt.Sprintf("NY092130%07d%s26021060530%015d00%25s%06d", i+1, day, k, "", 20000),
			fmt.Sprintf("NY092131%07d%010d%09d%07d%s%s%022d", i+1, 0, 600100000+k, 0, day, payer, 0),
			fmt.Sprintf("NY092132%07d%-40s%025d", i+1, "Bl?b?r", 0),
		)
	}
	lines = append(
		lines,
		fmt.Sprintf("NY090088%08d%08d%015d00%s%s%s%021d", len(kroner), 3*len(kroner)+2, sum, day, day, day, 0),
		fmt.Sprintf("NY000089%08d%08d%015d00%s%033d", len(kroner), 3*len(kroner)+4, sum, day, 0),
	)
	return strings.ReplaceAll(strings.Join(lines, "\r\n"), "Bl?b?r", "Bl\xe5b\xe6r")
}

// TestE4ATransmissionWithOtherContent is refused, naming the file that came first, unless it is accepted: then what is new
// in it is posted, and once only. What was refused has used up nothing.
func TestE4ATransmissionWithOtherContent(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		account, unit := in.bankAccount(), in.next()
		in.SetAccount(t, c.creditor, account)
		send := func(query, file string) *answer {
			t.Helper()
			return c.Post("/payment_files?filename=OCR.txt"+query, file, contentType("text/plain"))
		}
		waits := func(want ...string) {
			t.Helper()
			same(t, "amounts that wait", texts(c.List("/unmatched_payments?status=all"), "amount"), want)
		}
		first := send("", in.transmission(7, unit, account, 10)).Created()
		other := in.transmission(7, unit, account, 10, 20)
		conflict := send("", other)
		conflict.Refused(http.StatusUnprocessableEntity, "transmission_conflict line[1]")
		id := first.URI()[strings.LastIndex(first.URI(), "/")+1:]
		for _, named := range []string{"payment file " + id + " ", "OCR.txt", in.Today().String()} {
			if !strings.Contains(string(conflict.Body), named) {
				t.Errorf("the conflict does not name %q: %s", named, conflict.Body)
			}
		}
		send("&accept_conflict=0", other).Refused(http.StatusUnprocessableEntity, "transmission_conflict line[1]")
		send("&accept_conflict=ja", other).Refused(http.StatusBadRequest, "invalid_flag accept_conflict")
		waits("10.00")

		accepted := send("&accept_conflict=1", other).Created()
		accepted.Shows("transactions 2", "unmatched/@amount 20.00", "duplicates/@amount 10.00", "warning/@code transmission_conflict")
		waits("10.00", "20.00")
		again := send("&accept_conflict=1", other)
		again.Refused(http.StatusConflict, "duplicate_file")
		equal(t, "the file that came first", again.Header.Get("Location"), accepted.URI())
		send("", in.transmission(7, unit, account, 10)).Refused(http.StatusConflict, "duplicate_file")
		waits("10.00", "20.00")

		// A file that is refused for something else has not used up its number either.
		damaged := strings.Replace(in.transmission(8, unit, account, 30), "NY000089", "NY000088", 1)
		send("", damaged).Is(http.StatusUnprocessableEntity)
		send("", in.transmission(8, unit, account, 40)).Created()
		// Another account's transmission of the same number, as other senders than the bank give them, is another.
		send("", in.transmission(7, unit, in.bankAccount(), 50)).Created()
	})
}

// TestE4OfTransmissionsAtOnceOneWins sends different contents of one number at the same time.
func TestE4OfTransmissionsAtOnceOneWins(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		account, unit := in.bankAccount(), in.next()
		in.SetAccount(t, c.creditor, account)
		var amounts atomic.Int64
		answers := c.AtOnce(8, func() *answer {
			return c.Post("/payment_files", in.transmission(7, unit, account, int(amounts.Add(1))), contentType("text/plain"))
		})
		statuses := map[int]int{}
		for _, a := range answers {
			statuses[a.Status]++
		}
		if statuses[http.StatusCreated] != 1 || statuses[http.StatusUnprocessableEntity] != len(answers)-1 {
			t.Errorf("the answers are %v", statuses)
		}
		equal(t, "payments that wait", len(c.List("/unmatched_payments?status=all")), 1)
	})
}

// TestE4AGapInTheTransmissions is warned of in the file, tells its creditor, and is no gap once the late file came.
func TestE4AGapInTheTransmissions(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		account, unit := in.bankAccount(), in.next()
		in.SetAccount(t, c.creditor, account)
		send := func(number int) node {
			t.Helper()
			return c.Post("/payment_files", in.transmission(number, unit, account, number), contentType("text/plain")).Created()
		}
		send(40).Shows("no warning")
		late := send(43)
		late.Shows("warning/@code transmission_gap", "warning/@line 1")
		c.again(late).Equals(late)
		for _, named := range []string{"0000041", "0000042"} {
			if !strings.Contains(late.At("warning"), named) {
				t.Errorf("the warning does not name %s: %s", named, late.At("warning"))
			}
		}
		equal(t, "text of the event", c.event("payment_file.gap").At("text"), late.At("warning"))
		send(41).Shows("no warning")
		send(42).Shows("no warning")
		send(44).Shows("no warning")
		if metrics := string(c.Get("//metrics").Is(http.StatusOK).Body); !strings.Contains(metrics, "\npurr_payment_file_gaps ") {
			t.Error("the metrics have no purr_payment_file_gaps")
		}
	})
}

// TestE4TheBytesOfAFile are those that were sent, letters of ISO-8859-1 and all, also of a file that was refused.
func TestE4TheBytesOfAFile(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		const nothingKnown = "\xff\xfe\x00 no bank's"
		for _, file := range []struct{ sent, query, media, disposition string }{
			{
				in.transmission(9, in.next(), in.bankAccount(), 70), "?filename=OCR.D210326%20(1)",
				"text/plain; charset=ISO-8859-1", `attachment; filename="OCR.D210326 (1)"`,
			},
			{nothingKnown, "?filename=bl%C3%A5%22%0D%0Ab/%C3%A6r", "application/octet-stream", "attachment; filename*=utf-8''bl%C3%A5%22%0D%0Ab_%C3%A6r"},
		} {
			c.Post("/payment_files"+file.query, file.sent, contentType("application/octet-stream"))
			files := c.List("/payment_files")
			uri := files[len(files)-1].URI()
			raw := c.Get(uri + "/raw").Is(http.StatusOK)
			if string(raw.Body) != file.sent {
				t.Errorf("of %q came %q again", file.sent, raw.Body)
			}
			sum := sha256.Sum256([]byte(file.sent))
			equal(t, "ETag", raw.Header.Get("ETag"), `"`+hex.EncodeToString(sum[:])+`"`)
			equal(t, "Content-Type", raw.Header.Get("Content-Type"), file.media)
			equal(t, "Content-Disposition", raw.Header.Get("Content-Disposition"), file.disposition)
			head := c.Send(http.MethodHead, uri+"/raw", "").Is(http.StatusOK)
			equal(t, "Content-Length", head.Header.Get("Content-Length"), fmt.Sprint(len(file.sent)))
			in.creditor(t).Get(uri+"/raw").Refused(http.StatusNotFound, "not_found")
		}
	})
}
