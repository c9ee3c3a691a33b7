package smtpserver

import "sync"

// Step is a point of the conversation where the server answers.
type Step string

// The steps, in the order of a conversation.
const (
	Connect  Step = "connect" // the greeting
	Hello    Step = "EHLO"
	StartTLS Step = "STARTTLS"
	Auth     Step = "AUTH"
	Mail     Step = "MAIL"
	Rcpt     Step = "RCPT"
	Data     Step = "DATA"
	Content  Step = "content" // the answer to a complete e-mail
	Quit     Step = "QUIT"
)

// action is what the server does at a step instead of answering as usual.
type action struct {
	code      int    // the code of a rejection; zero gives the usual answer
	text      string // the text of the rejection
	hangUp    bool   // closes the connection and answers nothing
	thenClose bool   // closes the connection after the answer
	hold      *Held  // waits first
}

// Reject makes the server answer the step with the code and text, as many times as given.
func (s *Server) Reject(at Step, code int, text string, times int) {
	s.plan(at, action{code: code, text: text}, times)
}

// HangUp makes the server close the connection at the step instead of answering, as many times as given. The server
// does not accept an e-mail whose answer is lost in this way.
func (s *Server) HangUp(at Step, times int) { s.plan(at, action{hangUp: true}, times) }

// HangUpAfter makes the server close the connection right after its usual answer to the step, as many
// times as given. At Content the e-mail is accepted and the client cannot say goodbye.
func (s *Server) HangUpAfter(at Step, times int) { s.plan(at, action{thenClose: true}, times) }

// Hold makes the server fall silent at the step, once, until it is released; then it answers as usual.
func (s *Server) Hold(at Step) *Held {
	h := &Held{reached: make(chan struct{}), released: make(chan struct{})}
	s.plan(at, action{hold: h}, 1)
	return h
}

// Held is a point where the server falls silent.
type Held struct {
	reached  chan struct{}
	released chan struct{}
	once     sync.Once
}

// Reached is closed when a client waits for the answer.
func (h *Held) Reached() <-chan struct{} { return h.reached }

// Release lets the server go on.
func (h *Held) Release() { h.once.Do(func() { close(h.released) }) }

// Behave forgets what is left of the script. The server answers as usual from now on.
func (s *Server) Behave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.script)
}

func (s *Server) plan(at Step, a action, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range times {
		s.script[at] = append(s.script[at], a)
	}
}

// next removes the step's next action from the script. If the action is a hold, next waits for its release.
func (s *Server) next(at Step) action {
	s.mu.Lock()
	planned := s.script[at]
	var a action
	if len(planned) > 0 {
		a, s.script[at] = planned[0], planned[1:]
	}
	down := s.down
	s.mu.Unlock()
	if a.hold != nil {
		close(a.hold.reached)
		select {
		case <-a.hold.released:
		case <-down:
		}
	}
	return a
}
