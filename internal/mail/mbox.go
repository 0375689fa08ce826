package mail

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
)

// mboxLine is the line between the messages of an mbox. A sentence that begins
// with "From " has no time of day in it.
var mboxLine = regexp.MustCompile(`^From \S.*\d{1,2}:\d{2}(:\d{2})?.*\d{4}\s*$`)

var quotedFrom = regexp.MustCompile(`^>+From `)

// SplitMbox hands each message of an mbox to each, in order, as bytes of their
// own. Memory is bounded by one message: of a larger one only the first MaxRaw+1
// bytes are handed on, so that Parse says what is missing.
func SplitMbox(r io.Reader, each func(raw []byte) error) error {
	s := &splitter{in: bufio.NewReaderSize(r, 64<<10), each: each, blank: true}
	for {
		line, err := s.in.ReadSlice('\n')
		if len(line) > 0 {
			if failed := s.take(line); failed != nil {
				return failed
			}
		}
		switch {
		case err == nil, errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return s.emit()
		default:
			return err
		}
	}
}

type splitter struct {
	in      *bufio.Reader
	each    func([]byte) error
	message []byte
	started bool // inside a message
	blank   bool // the line before was empty, or there was none
	within  bool // the line before had no end yet
}

// take adds a line, or the next piece of a very long one.
func (s *splitter) take(line []byte) error {
	if !s.within && s.blank && mboxLine.Match(bytes.TrimRight(line, "\r\n")) {
		if err := s.emit(); err != nil {
			return err
		}
		s.started, s.blank = true, false
		return nil
	}
	empty := !s.within && len(bytes.TrimRight(line, "\r\n")) == 0
	if !s.within && quotedFrom.Match(line) {
		line = line[1:]
	}
	s.within = line[len(line)-1] != '\n'
	s.blank = empty
	if room := MaxRaw + 1 - len(s.message); room > 0 {
		s.message = append(s.message, line[:min(room, len(line))]...)
	}
	return nil
}

// emit hands over the message read so far, without the empty line behind it.
func (s *splitter) emit() error {
	message := s.message
	s.message = nil
	if !s.started && len(bytes.TrimSpace(message)) == 0 {
		return nil
	}
	s.started = false
	if s.blank {
		message = bytes.TrimSuffix(bytes.TrimSuffix(message, []byte("\n")), []byte("\r"))
	}
	return s.each(message)
}
