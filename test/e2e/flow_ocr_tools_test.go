package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"purr/test/testkit"
)

// toolCommands are what a shell is given, one after the other, in a folder with the bank's sample files. Between
// them they show each command of purr ocr that needs no installation, in its ways to end.
var toolCommands = []string{
	"purr ocr lint ocr-basic.txt ocr-edge.txt camt054-v02.xml camt054-v08.xml",
	"sed 's/0000421003179/0000421003178/' ocr-basic.txt | purr ocr lint -",
	"sed 's/0000421003179/0000421003178/' ocr-basic.txt | purr ocr lint --strict --json -",
	"head -9 ocr-basic.txt | purr ocr lint -",
	"echo hello | purr ocr lint - none.txt",
	"purr ocr lint",
	"purr ocr lint --fast ocr-basic.txt",
	"purr ocr generate --seed 1 --transactions 3 --account 12345678903 --date 2026-03-02 -o made.txt",
	"cat made.txt",
	"purr ocr generate --seed 1 --transactions 3 --account 12345678903 --date 2026-03-02 -o made.txt",
	"purr ocr generate --seed 2 --transactions 2 --account 12345678903 --date 2026-03-02 -o made.txt --force",
	"purr ocr generate --seed 2 --transactions 2 --account 12345678903 --date 2026-03-02 --format camt.054 -o made.xml",
	"purr ocr diff --all made.txt made.xml",
	"printf 'kid,amount\\n0000421003179,1250.00\\n0000451003206,-250.00\\n' | purr ocr generate --from - --account 12345678903 --date 2026-03-02 --number 7",
	"echo 12345678903,1230,1,00 | purr ocr generate --from -",
	"purr ocr generate --seed 1 --fault wrong_total --date 2026-03-02 | purr ocr lint -",
	"purr ocr generate --seed 1 --format camt.054.001.08 --fault copy --date 2026-03-02 | purr ocr lint -",
	"purr ocr generate --fault funny",
	"purr ocr generate --list-faults | head -4",
	"purr ocr generate --without-kid 10",
	"purr ocr generate --date 2.3.2026",
	"purr ocr generate --seed 1 --transactions 1 --date 2026-03-02 -o none/OCR.txt",
	"purr ocr anonymise --seed 1 ocr-basic.txt",
	"purr ocr anonymise --seed 1 - -o copy.xml < camt054-v08.xml && purr ocr lint copy.xml && grep -c 'Kari\\|421003179' copy.xml",
	"head -9 ocr-basic.txt | purr ocr anonymise - -o copy.txt",
	"purr ocr diff ocr-basic.txt ocr-basic.txt",
	"purr ocr diff ocr-basic.txt ocr-edge.txt",
	"purr ocr diff ocr-basic.txt camt054-v02.xml",
	"purr ocr diff --json ocr-basic.txt camt054-v02.xml",
	"head -9 ocr-basic.txt | purr ocr diff ocr-basic.txt -",
	"purr ocr diff ocr-basic.txt none.txt",
	"purr ocr diff - -",
	"purr avtalegiro inspect claims.txt",
	"purr avtalegiro inspect --json claims.txt | grep -c '\"kid\"'",
	"head -8 claims.txt | purr avtalegiro inspect -",
	"sed '8s/300436/300437/' claims.txt | purr avtalegiro lint - 2>&1 | grep -v due_too_far",
	"purr avtalegiro lint ocr-basic.txt | tail -3",
	"echo hello | purr avtalegiro lint - none.txt",
	"ls -A",
}

// TestToolsForPaymentFiles has a shell run what the help of purr ocr shows, and holds all that is said, with its exit
// codes, against a file that reads as a session. The commands need no installation and leave nothing behind but
// what they are asked for.
func TestToolsForPaymentFiles(t *testing.T) {
	t.Parallel()
	folder, tools := t.TempDir(), t.TempDir()
	path, err := binary()
	must(t, err)
	must(t, os.Symlink(path, filepath.Join(tools, "purr")))
	for _, sample := range []string{"giro/testdata/ocr-basic.txt", "giro/testdata/ocr-edge.txt", "camt/testdata/camt054-v02.xml", "camt/testdata/camt054-v08.xml"} {
		file, err := os.ReadFile(filepath.Join(root, "ocr", sample))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(folder, filepath.Base(sample)), file, 0o600))
	}
	claims, err := os.ReadFile(filepath.Join(root, "ocr/giro/testdata/claims/sample.txt"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "claims.txt"), claims, 0o600))
	var session bytes.Buffer
	for _, line := range toolCommands {
		shell := exec.Command("/bin/sh", "-c", "exec 2>&1\n"+line)
		shell.Dir = folder
		shell.Env = []string{"PATH=" + tools + ":/usr/bin:/bin", "HOME=" + folder, "TMPDIR=" + tools}
		said, err := shell.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatalf("%s: %v", line, err)
		}
		fmt.Fprintf(&session, "$ %s\n%s", line, said)
		if code := shell.ProcessState.ExitCode(); code != 0 {
			fmt.Fprintf(&session, "(exit code %d)\n", code)
		}
		fmt.Fprintln(&session)
	}
	testkit.Golden(t, "testdata/ocr_tools.txt", session.String())
	if left, err := filepath.Glob(filepath.Join(tools, "purr-*")); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v (%v)", left, err)
	}
}
