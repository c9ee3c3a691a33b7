package pdf

import (
	"regexp"
	"strconv"
)

// pageTree is the object of a PDF of ours that counts the pages. All texts are compressed, so it is found once, and behind a cover
// once more (Cover).
var pageTree = regexp.MustCompile(`/Type /Pages\s+/Kids \[[^\]]*\]\s+/Count ([1-9][0-9]{0,5})\s`)

// Pages returns the number of pages of a PDF that this package made, and 1 for any other.
func Pages(pdf []byte) int {
	found := pageTree.FindAllSubmatch(pdf, -1)
	if found == nil {
		return 1
	}
	n, err := strconv.Atoi(string(found[len(found)-1][1]))
	if err != nil {
		return 1
	}
	return n
}
