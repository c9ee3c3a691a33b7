package retries_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"purr/test/testkit"
)

// The errors by which MySQL asks for a transaction to be repeated. After a deadlock, and after each failure of a COMMIT, the
// server has rolled the transaction back. After a lock time-out it has undone the statement alone.
const (
	deadlock    = 1213
	lockTimeout = 1205
)

// The commands of prepared statements, and the errors that refuse them.
const (
	prepare = 0x16
	execute = 0x17

	noRoomToPrepare = 1461
	notPrepared     = 1243
	prepareAgain    = 1615
)

// proxy stands between the program and its MySQL server, and lets statements of transactions fail as the server does.
type proxy struct {
	t      testing.TB
	server string // its address

	mu         sync.Mutex
	at         int      // the statement that is to fail, counted from 1; 0 for none
	statements []string // of all transactions since disturb
	again      int      // which statement of the next transaction is to fail too; 0 for none

	command byte // the command that is refused
	refusal int  // the error that refuses it, 0 for none
	refused int  // how many were
}

// newProxy starts a proxy for the database, and returns it with the URL that leads through it.
func newProxy(t testing.TB, databaseURL string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	testkit.Must(t, err)
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	p := &proxy{t: t, server: u.Host}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // closed
			}
			go p.serve(client)
		}
	}()
	u.Host = listener.Addr().String()
	return p, u.String()
}

// disturb lets the statement with the number fail with a deadlock, counted over all transactions from now on. Then the same
// statement of the next transaction, which is the second try, fails with a lock time-out. With 0 nothing fails.
func (p *proxy) disturb(at int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.again, p.statements = at, 0, nil
}

// refuse lets each command of that number fail from now on.
func (p *proxy) refuse(command byte, refusal int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.command, p.refusal = command, refusal
}

// refusalOf returns the error that a command is to fail with, 0 for none.
func (p *proxy) refusalOf(command byte) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if command != p.command {
		return 0
	}
	p.refused++
	return p.refusal
}

// refusals returns how many commands were refused.
func (p *proxy) refusals() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused
}

// seen returns the statements since disturb.
func (p *proxy) seen() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.statements
}

// fault returns the error that the statement is to fail with, 0 for none. place is its place in its transaction.
func (p *proxy) fault(statement string, place int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.statements = append(p.statements, statement)
	switch {
	case len(p.statements) == p.at:
		p.again = place
		return deadlock
	case place == p.again:
		p.again = 0
		if strings.HasSuffix(statement, "NOWAIT") {
			return 0 // there it says that another transaction has the lock
		}
		return lockTimeout
	}
	return 0
}

// session is one connection through the proxy.
type session struct {
	*proxy
	client, server net.Conn
	writes         bool // it is of the pool for writing
	place          int  // of the last statement in its transaction, 0 outside of one
	undone         bool // the server has rolled the transaction back

	mu     sync.Mutex
	answer int // the error that takes the place of the server's next answer
}

// serve passes packets on until one side closes.
func (p *proxy) serve(client net.Conn) {
	server, err := (&net.Dialer{}).DialContext(p.t.Context(), "tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	s := &session{proxy: p, client: client, server: server}
	go func() {
		defer func() { _, _ = client.Close(), server.Close() }()
		_ = s.answers() // the end of either side
	}()
	defer func() { _, _ = client.Close(), server.Close() }()
	for {
		packet, err := readPacket(client)
		if err != nil {
			return
		}
		if packet[3] == 0 && len(packet) > 4 {
			packet = s.command(packet)
		}
		if _, err := server.Write(packet); err != nil {
			return
		}
	}
}

// command returns what the server gets instead of a packet with a command.
func (s *session) command(packet []byte) []byte {
	const query = 3
	if packet[4] == query {
		return s.statement(packet)
	}
	refusal := s.refusalOf(packet[4])
	if refusal == 0 {
		return packet
	}
	return s.fail(refusal, "DO 0")
}

// fail gives the server another statement, and lets an error take the place of its answer.
func (s *session) fail(fault int, statement string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = fault
	return command(statement)
}

// statement returns what the server gets instead of a packet with a statement.
func (s *session) statement(packet []byte) []byte {
	text := string(packet[5:])
	switch {
	case strings.HasPrefix(text, "SET SESSION TRANSACTION"):
		s.writes = !strings.Contains(text, "READ ONLY")
	case text == "START TRANSACTION":
		s.place, s.undone = 0, false
	case text == "ROLLBACK":
		s.place, s.undone = 0, false
		return packet
	case s.undone:
		s.t.Errorf("after a deadlock, which ends the transaction, came %.200s", text)
	case s.place == 0: // outside of a transaction
		return packet
	}
	if !s.writes {
		return packet
	}
	s.place++
	fault := s.fault(text, s.place)
	if text == "COMMIT" {
		s.place = 0
	}
	if fault == 0 {
		return packet
	}
	if text == "COMMIT" {
		return s.fail(fault, "ROLLBACK")
	}
	if s.undone = fault == deadlock; s.undone {
		return s.fail(fault, "ROLLBACK")
	}
	return s.fail(fault, "DO 0")
}

// answers passes the server's packets on.
func (s *session) answers() error {
	for {
		packet, err := readPacket(s.server)
		if err != nil {
			return err
		}
		s.mu.Lock()
		if s.answer != 0 {
			packet, s.answer = failure(s.answer), 0
		}
		s.mu.Unlock()
		if _, err := s.client.Write(packet); err != nil {
			return err
		}
	}
}

// readPacket reads one packet of MySQL's protocol: three bytes for the length, one for the number, then the content.
func readPacket(from net.Conn) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return nil, err
	}
	length := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
	packet := make([]byte, 4+length)
	copy(packet, head[:])
	if _, err := io.ReadFull(from, packet[4:]); err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return packet, nil
}

func packetOf(number byte, content []byte) []byte {
	return append([]byte{byte(len(content)), byte(len(content) >> 8), byte(len(content) >> 16), number}, content...)
}

func command(statement string) []byte { return packetOf(0, append([]byte{3}, statement...)) }

// failure is the server's answer with an error.
func failure(number int) []byte {
	state, says := "40001", "Deadlock found when trying to get lock; try restarting transaction"
	switch number {
	case lockTimeout:
		state, says = "HY000", "Lock wait timeout exceeded; try restarting transaction"
	case noRoomToPrepare, notPrepared, prepareAgain:
		state, says = "HY000", "This statement cannot be prepared"
	}
	content := binary.LittleEndian.AppendUint16([]byte{0xff}, uint16(number))
	return packetOf(1, fmt.Appendf(content, "#%s%s", state, says))
}
