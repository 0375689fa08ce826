package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// conn is one keep-alive connection that speaks HTTP/1.1 by hand: on a small
// machine the load client must take little of what the server needs.
type conn struct {
	addr string
	c    net.Conn
	r    *bufio.Reader
	out  bytes.Buffer
	body []byte
}

// request is one call: method, path with query, header lines ("Name: value\r\n"), body.
type request struct {
	method, path, header, body string
}

func dial(addr string) (*conn, error) {
	k := &conn{addr: addr}
	return k, k.redial()
}

func (k *conn) redial() error {
	d := net.Dialer{Timeout: 5 * time.Second}
	c, err := d.DialContext(context.Background(), "tcp", k.addr)
	if err != nil {
		return fmt.Errorf("bench client: %w", err)
	}
	k.c, k.r = c, bufio.NewReaderSize(c, 16<<10)
	return nil
}

func (k *conn) close() {
	if k.c != nil {
		_ = k.c.Close()
	}
}

// do sends a request and reads the whole answer. The body is valid until the next call.
func (k *conn) do(q request) (status int, body []byte, err error) {
	b := &k.out
	b.Reset()
	fmt.Fprintf(b, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: thhotel-bench\r\n%s", q.method, q.path, k.addr, q.header)
	if q.body != "" {
		b.WriteString("Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(q.body)) + "\r\n")
	}
	b.WriteString("\r\n")
	b.WriteString(q.body)
	if _, err := k.c.Write(b.Bytes()); err != nil {
		return 0, nil, fmt.Errorf("bench client: %w", err)
	}
	status, err = k.read()
	if err != nil {
		err = fmt.Errorf("bench client: %w", err)
	}
	return status, k.body, err
}

// framing is how an answer's end is known.
type framing struct {
	length           int // -1: not said
	chunked, closing bool
}

func (k *conn) read() (int, error) {
	line, err := k.r.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if len(line) < 12 {
		return 0, fmt.Errorf("status line %q", line)
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, err
	}
	f, err := k.headers()
	if err != nil {
		return 0, err
	}
	k.body = k.body[:0]
	switch {
	case f.chunked:
		err = k.chunks()
	case f.length >= 0:
		err = k.take(f.length)
	case status != 204 && status != 202:
		err = errors.New("an answer without a length")
	}
	if err == nil && f.closing {
		k.close()
		err = k.redial()
	}
	return status, err
}

func (k *conn) headers() (framing, error) {
	f := framing{length: -1}
	for {
		line, err := k.r.ReadSlice('\n')
		if err != nil {
			return f, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return f, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("content-length")):
			if f.length, err = strconv.Atoi(string(value)); err != nil {
				return f, err
			}
		case bytes.EqualFold(name, []byte("transfer-encoding")):
			f.chunked = bytes.EqualFold(value, []byte("chunked"))
		case bytes.EqualFold(name, []byte("connection")):
			f.closing = bytes.EqualFold(value, []byte("close"))
		}
	}
}

func (k *conn) chunks() error {
	for {
		line, err := k.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return err
		}
		if n == 0 {
			_, err = k.r.ReadSlice('\n')
			return err
		}
		if err := k.take(int(n)); err != nil {
			return err
		}
		if _, err := k.r.Discard(2); err != nil {
			return err
		}
	}
}

func (k *conn) take(n int) error {
	at := len(k.body)
	if cap(k.body) < at+n {
		grown := make([]byte, at, 2*(at+n))
		copy(grown, k.body)
		k.body = grown
	}
	k.body = k.body[:at+n]
	_, err := io.ReadFull(k.r, k.body[at:])
	return err
}
