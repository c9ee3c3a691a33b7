// Command image makes the OCI image of purr, without a base and without a container engine:
//
//	image -version V -commit C -created TIME -out FILE ARCH=PROGRAM...
//
// It is a module of its own, so that what it needs is none of the program's. The image holds the program, folders for its data and
// backups that belong to its user, and the root certificates of Mozilla as golang.org/x/crypto/x509roots has them: go.sum pins them,
// so that they are the same on every machine. There is no shell and no other user. The same arguments give the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	var d description
	version := flag.String("version", "", "version of the program")
	commit := flag.String("commit", "", "commit of its sources")
	created := flag.String("created", "", "time of the image, as in RFC 3339")
	out := flag.String("out", "", "file to write: a tar of an OCI image layout")
	flag.Parse()
	at, err := time.Parse(time.RFC3339, *created)
	if err == nil {
		d = description{version: *version, commit: *commit, created: at}
		err = run(d, *out, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// run writes an image of the programs, each given as ARCH=PATH.
func run(d description, out string, programs []string) error {
	if out == "" || len(programs) == 0 {
		return errors.New("usage: image -version V -commit C -created TIME -out FILE ARCH=PROGRAM...")
	}
	index := d.emptyIndex()
	for _, p := range programs {
		arch, path, named := strings.Cut(p, "=")
		if !named {
			return fmt.Errorf("%q is not ARCH=PROGRAM", p)
		}
		program, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		img, err := d.image(arch, program)
		if err != nil {
			return err
		}
		index = withImage(index, img, arch)
	}
	return d.writeLayout(index, out)
}
