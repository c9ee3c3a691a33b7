package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"purr/documents/ehf"
)

func ehfCommand() *cobra.Command {
	c := group("ehf", "Read and check EHF documents")
	c.AddCommand(ehfShow(), ehfCheck())
	return c
}

func ehfShow() *cobra.Command {
	c := &cobra.Command{
		Use: "show FILE", Short: "Print what an EHF document says", Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := readEHF(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return printEHF(cmd, d.Show())
		},
	}
	return withJSON(c)
}

func printEHF(cmd *cobra.Command, s ehf.Shown) error {
	if wantsJSON(cmd) {
		return printJSON(map[string]any{"title": s.Title, "facts": s.Facts, "lines": s.Lines, "totals": s.Totals})
	}
	fmt.Println(s.Title)
	fmt.Print(aligned(factsOf(s.Facts)))
	fmt.Println()
	t := newTable(strings.Join(ehf.LineHeadings, ","))
	for _, l := range s.Lines {
		row := make([]any, len(l))
		for i, text := range l {
			row[i] = text
		}
		t.add(row...)
	}
	if err := t.print(cmd); err != nil {
		return err
	}
	fmt.Println()
	fmt.Print(aligned(factsOf(s.Totals)))
	return nil
}

func factsOf(pairs [][2]string) []fact {
	facts := make([]fact, len(pairs))
	for i, p := range pairs {
		facts[i] = fact{p[0], p[1]}
	}
	return facts
}

func ehfCheck() *cobra.Command {
	c := &cobra.Command{
		Annotations: map[string]string{findings: "yes"},
		Use:         "check FILE...",
		Short:       "Check EHF documents by the official rules' names",
		Args:        files(1, math.MaxInt),
		RunE:        checkEHF,
	}
	return withJSON(c)
}

// checkedEHF is a file in the form that check prints in JSON.
type checkedEHF struct {
	File     string        `json:"file"`
	OK       bool          `json:"ok"`
	Findings []ehf.Finding `json:"findings"`
}

// checkEHF checks files. It continues after one that cannot be read, and fails at the end.
func checkEHF(cmd *cobra.Command, paths []string) error {
	var unread []error
	all, ok := []checkedEHF{}, true
	for _, path := range paths {
		c := checkedEHF{File: path, OK: true, Findings: []ehf.Finding{}}
		d, err := readEHF(cmd.Context(), path)
		none, is := errors.AsType[ehf.NoDocument](err)
		switch {
		case is:
			c.Findings = append(c.Findings, ehf.Finding{Rule: "XSD", Text: none.Error()})
		case err != nil:
			unread = append(unread, err)
			continue
		default:
			c.Findings = append(c.Findings, d.Check()...)
		}
		for _, f := range c.Findings {
			c.OK = c.OK && f.Warning
			if !wantsJSON(cmd) {
				fmt.Printf("%s: %s: %s\n", path, f.Rule, f.Said())
			}
		}
		ok = ok && c.OK
		all = append(all, c)
	}
	return endChecks(cmd, all, unread, ok)
}

// readEHF reads a document from a file or standard input.
func readEHF(ctx context.Context, path string) (*ehf.Document, error) {
	in, err := openInput(ctx, path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(in, ehf.MaxSize+1))
	if err = errors.Join(err, in.close()); err != nil {
		return nil, inFile(path, err)
	}
	d, err := ehf.Parse(data)
	if err != nil {
		return nil, inFile(path, err)
	}
	return d, nil
}
