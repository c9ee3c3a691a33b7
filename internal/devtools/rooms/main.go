// Command rooms draws the house: which rooms there are, how large each is, which arrows lead from one to another,
// and which of them run up the stair.
//
//	rooms [FOLDER]
//
// A room is a folder at the top with all packages below it; internal's tools for tests and developers are none. An
// arrow is a pair of rooms of which one imports the other. The stair is the order of the rows of ARCHITECTURE.md's
// import table, the lowest first: an arrow runs up when the imported room stands later in it. After the rooms come
// the measures: the lengths of functions and files, and how many exported things are documented.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := run(root, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "rooms:", err)
		os.Exit(1)
	}
}

// run writes the house below root.
func run(root string, to io.Writer) error {
	stair, err := readStair(root)
	if err != nil {
		return err
	}
	h, err := walk(root)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	writeRooms(out, h, stair)
	writeMeasures(out, h)
	return out.Flush()
}

func writeRooms(out io.Writer, h house, stair []string) {
	columns := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "room\tpackages\tfiles\tlines\timports")
	arrows := 0
	for _, name := range h.names(stair) {
		r := h.rooms[name]
		arrows += len(r.imports)
		fmt.Fprintf(columns, "%s\t%d\t%d\t%d\t%s\n", name, len(r.packages), r.files, r.lines, join(r.imports))
	}
	_ = columns.Flush() // the buffer below keeps its error until it is flushed

	up := h.up(stair)
	fmt.Fprintf(out, "\n%d rooms, %d arrows, %d of them up\n", len(h.rooms), arrows, len(up))
	for _, arrow := range up {
		fmt.Fprintf(out, "  %s imports %s\n", arrow[0], arrow[1])
	}
	for _, circle := range h.circles() {
		fmt.Fprintf(out, "  %s and %s import each other\n", circle[0], circle[1])
	}
}

func writeMeasures(out io.Writer, h house) {
	columns := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "\nlines of\tmedian\tp95\tlongest")
	for _, m := range []struct {
		of    string
		sizes []size
	}{{"functions", h.functions}, {"files", h.fileSizes}} {
		if len(m.sizes) == 0 {
			continue
		}
		fmt.Fprintf(columns, "%s\t%d\t%d\t%d %s\n", m.of, at(m.sizes, 50).lines, at(m.sizes, 95).lines, at(m.sizes, 100).lines, at(m.sizes, 100).name)
	}
	_ = columns.Flush() // as above
	fmt.Fprintf(out, "%d of %d exported things are documented\n", h.documented, h.exported)
	for _, name := range h.bare {
		fmt.Fprintf(out, "  %s is not\n", name)
	}
}
