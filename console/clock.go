package console

import (
	"context"
	"slices"
	"time"

	"purr/console/locale"
	"purr/models"
	"purr/store"
)

func (s *Server) clockRoutes() []route {
	if !s.cfg.Simulated {
		return nil
	}
	return []route{{path: "/c/{creditor}/clock", get: s.clockPage, post: s.moveClock, scope: models.ScopeAdmin}}
}

// farthestMove is how far the page looks for the next work.
const farthestMove = 366 * 24 * time.Hour

// clockPage moves the test clock, and shows how far a move has come.
type clockPage struct {
	view
	Time    time.Time
	Next    time.Time // when the next work falls due; zero if none does within a year
	Moving  bool
	To      time.Time // where the move goes
	Value   int64     // how far it has come, in minutes
	Max     int64
	Stopped bool // the last move ended before it was there
	Begin   time.Time
	Days    []clockDay // what happened during the last move, day by day
	More    bool       // more happened than is told
}

// clockDay is what happened on a day: how many events there were of each type.
type clockDay struct {
	Day   models.Date
	Kinds []eventCount
}

type eventCount struct {
	Kind string
	N    int
}

// mostMoved is how many events of a move the page tells of, the last ones.
const mostMoved = 2000

// readDays counts the events since the last move began.
func (p *clockPage) readDays(ctx context.Context, db *store.DB) error {
	events, err := db.NewestEvents(ctx, p.Creditor.ID, store.EventFilter{}, 0, mostMoved)
	if err != nil {
		return err
	}
	events = slices.DeleteFunc(events, func(e models.Event) bool { return e.At.Before(p.Begin) })
	p.More = len(events) == mostMoved
	slices.Reverse(events)
	for _, e := range events {
		day, kind := models.DateOf(e.At.In(p.rq.zone)), p.rq.words.KindOfEvent(e.Type)
		if n := len(p.Days); n == 0 || p.Days[n-1].Day != day {
			p.Days = append(p.Days, clockDay{Day: day})
		}
		today := &p.Days[len(p.Days)-1]
		at := slices.IndexFunc(today.Kinds, func(c eventCount) bool { return c.Kind == kind })
		if at < 0 {
			at, today.Kinds = len(today.Kinds), append(today.Kinds, eventCount{Kind: kind})
		}
		today.Kinds[at].N++
	}
	return nil
}

func (s *Server) clockPage(ctx context.Context, rq *request) (reply, error) {
	if s.cfg.TestClock == nil {
		return reply{}, models.NotFound("page")
	}
	move, now := s.cfg.TestClock.LastMove(), s.cfg.TestClock.Now()
	p := &clockPage{
		view: rq.view("clock.title"), Time: now, Moving: !move.To.IsZero() && !move.Ended, To: move.To, Begin: move.From,
		Value: int64(now.Sub(move.From).Minutes()), Max: int64(move.To.Sub(move.From).Minutes()), Stopped: move.Err != nil,
	}
	if rq.query("part") == "progress" {
		return p.progress()
	}
	if !p.Moving {
		next, err := s.cfg.TestClock.NextDue(ctx, now.Add(farthestMove))
		if err != nil {
			return reply{}, err
		}
		if next.Before(now.Add(farthestMove)) {
			p.Next = next
		}
		if !move.To.IsZero() {
			if err := p.readDays(ctx, s.db); err != nil {
				return reply{}, err
			}
		}
	}
	p.Lead = rq.words.SayHTML("clock.lead", "now", locale.Moment(now, rq.zone))
	return show("clock", p)
}

// progress answers a browser that asks how far a move has come.
func (p *clockPage) progress() (reply, error) {
	return progress(p.rq.words.Say("clock.stands", "now", p.Time.In(p.rq.zone).Format("02.01.2006 15:04")), p.Value, max(p.Max, 1), !p.Moving)
}

// clockTo returns where the clock is to move to from where it stood.
func (f *fields) clockTo(from time.Time, zone *time.Location) (time.Time, error) {
	switch f.text("move") {
	case "day":
		return from.Add(24 * time.Hour), nil
	case "week":
		return from.Add(7 * 24 * time.Hour), nil
	case "next":
		to, err := time.Parse(time.RFC3339Nano, f.text("next"))
		if err != nil {
			return time.Time{}, errBadForm()
		}
		return to, nil
	}
	day := f.date("to")
	if day == 0 && len(f.faults) == 0 {
		f.faults.Add("required", "to", "is required")
	}
	if err := f.done(); err != nil {
		return time.Time{}, err
	}
	year, month, date := day.Time().Date()
	return time.Date(year, month, date, 12, 0, 0, 0, zone), nil
}

func mayMove(now, to time.Time) error {
	switch {
	case to.Before(now):
		return models.Invalid("clock_backwards", "to", "the clock moves forward only")
	case to.Sub(now) > 20*farthestMove:
		return models.Invalid("out_of_range", "to", "is too far ahead")
	}
	return nil
}

// moveClock begins a move: a day on, to the next work, or to a moment that was typed. It counts from where the clock stood
// on the page, so that a second tab does not move it twice.
func (s *Server) moveClock(ctx context.Context, rq *request) (reply, error) {
	if s.cfg.TestClock == nil {
		return reply{}, models.NotFound("page")
	}
	f := rq.fields()
	from, err := time.Parse(time.RFC3339Nano, f.text("from"))
	if err != nil {
		return reply{}, errBadForm()
	}
	to, err := f.clockTo(from, rq.zone)
	if err != nil {
		return reply{}, err
	}
	if err := mayMove(s.cfg.TestClock.Now(), to); err != nil {
		return reply{}, err
	}
	begin := false
	answer, err := rq.act(ctx, func(context.Context, *store.Tx) (done, error) {
		begin = true
		return done{to: rq.base + "/clock", message: rq.said("clock.moved")}, nil
	})
	if err == nil && begin {
		err = s.cfg.TestClock.Begin(to)
	}
	return answer, err
}

// Machine writes a moment for the page's own form.
func (p *clockPage) Machine(t time.Time) string { return t.Format(time.RFC3339Nano) }
