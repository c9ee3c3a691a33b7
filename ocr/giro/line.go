package giro

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// bufferSize is the longest line that is seen as a whole, in bytes.
const bufferSize = 64 << 10

// byteOrderMark is what editors put before a text that they take for UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// lineReader splits a file into lines. It strips what is around the records in real files: CR, a byte
// order mark, Ctrl-Z, and blank lines.
type lineReader struct {
	r    *bufio.Reader
	line int  // number of the line that next returned, from 1
	long bool // the rest of that line is still unread
}

func newLineReader(r io.Reader) lineReader {
	return lineReader{r: bufio.NewReaderSize(r, bufferSize)}
}

// next returns the next line that is not blank, valid until the next call; of a line longer than
// bufferSize it returns the beginning. At the end of the file it returns io.EOF.
func (l *lineReader) next() ([]byte, error) {
	for {
		if err := l.skipRest(); err != nil {
			return nil, err
		}
		line, err := l.r.ReadSlice('\n')
		if err != nil {
			l.long = errors.Is(err, bufio.ErrBufferFull)
			if !l.long && (len(line) == 0 || !errors.Is(err, io.EOF)) {
				return nil, err
			}
		}
		l.line++
		if len(line) == recordLen+1 && line[0] == 'N' && line[recordLen] == '\n' && line[recordLen-1] >= ' ' {
			return line[:recordLen], nil
		}
		if line = stripped(line); len(line) > 0 {
			return line, nil
		}
	}
}

// skipRest reads to the end of a line that did not fit the buffer.
func (l *lineReader) skipRest() error {
	for l.long {
		_, err := l.r.ReadSlice('\n')
		l.long = errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !l.long {
			return err
		}
	}
	return nil
}

// stripped returns the line without what is around a record in it, and nothing for a blank line.
func stripped(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) == recordLen && line[0] == 'N' && line[recordLen-1] >= ' ' {
		return line
	}
	const ctrlZ = "\x1a"
	line = bytes.TrimPrefix(bytes.Trim(line, ctrlZ+"\r"), byteOrderMark)
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	return line
}
