//go:build chaos

package chaos_test

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// proxy stands between one process and one server, and does to their connections what a network does.
type proxy struct {
	listener net.Listener
	target   string

	mu     sync.Mutex
	state  proxyState
	change *sync.Cond
	links  map[*link]bool
}

// proxyState is how a proxy treats the bytes that it is to carry.
type proxyState struct {
	refuse bool          // new connections are closed at once
	silent bool          // nothing is carried in either direction, and nothing is lost
	delay  time.Duration // of each piece, in each direction
	cut    bool          // the next answer of the server is cut in its middle, once on each connection
}

// link is one connection through a proxy.
type link struct {
	client, server *net.TCPConn
	deserted       bool // the client is gone, and the server does not know
}

func startProxy(t *testing.T, target string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{listener: listener, target: target, links: map[*link]bool{}}
	p.change = sync.NewCond(&p.mu)
	go p.serve()
	t.Cleanup(func() {
		_ = listener.Close()
		p.set(proxyState{})
		p.reset()
	})
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// set makes the proxy treat all connections in another way.
func (p *proxy) set(s proxyState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = s
	p.change.Broadcast()
}

// reset ends all connections by a reset, as a firewall does that has forgotten them.
func (p *proxy) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		abort(l.client)
		abort(l.server)
	}
}

// desert ends all connections for the client alone. The server goes on to wait, as it does for a machine that has lost
// its power, until the returned function is called.
func (p *proxy) desert() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var left []*link
	for l := range p.links {
		l.deserted = true
		abort(l.client)
		left = append(left, l)
	}
	return func() {
		for _, l := range left {
			abort(l.server)
		}
	}
}

func abort(c *net.TCPConn) {
	_ = c.SetLinger(0) // the other side may have closed it
	_ = c.Close()
}

func (p *proxy) serve() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.carry(conn.(*net.TCPConn))
	}
}

// carry carries one connection to its end.
func (p *proxy) carry(client *net.TCPConn) {
	if p.await().refuse {
		abort(client)
		return
	}
	conn, err := net.Dial("tcp", p.target)
	if err != nil {
		abort(client)
		return
	}
	l := &link{client: client, server: conn.(*net.TCPConn)}
	p.mu.Lock()
	p.links[l] = true
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.pump(l, l.server, l.client) })
	both.Go(func() { p.pump(l, l.client, l.server) })
	both.Wait()
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// await returns the state as soon as it is not silence.
func (p *proxy) await() proxyState {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.state.silent {
		p.change.Wait()
	}
	return p.state
}

// pump carries bytes in one direction until either side ends.
func (p *proxy) pump(l *link, to, from *net.TCPConn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			state := p.await()
			time.Sleep(state.delay)
			if state.cut && from == l.server {
				_, _ = to.Write(buffer[:n/2])
				abort(l.client)
				abort(l.server)
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				break
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				_ = to.CloseWrite()
				return
			}
			break
		}
	}
	p.mu.Lock()
	deserted := l.deserted
	p.mu.Unlock()
	if !deserted {
		abort(l.client)
		abort(l.server)
	}
}
