package jobs

import (
	"context"
	"slices"
	"sync"
	"time"

	"purr/jobs/tasks"
)

// sweepMost is the most hand-overs that one sweep queues. The next sweep queues more.
const sweepMost = 5000

// Sweep reads from the rows what work is due, and queues it. It returns the number of tasks that were not queued
// already. If Redis has lost everything, the sweep queues it again. While the installation is held, it only goes on with
// what sends nothing (rule O3).
//
// scheduled: every few seconds, and at every step of a test clock.
func (s *Scheduler) Sweep(ctx context.Context) (queued int, err error) {
	if err := s.takeUpPutOff(ctx); err != nil {
		return 0, err
	}
	is, err := s.whatIsOwed(ctx, kinds())
	if err != nil {
		return 0, err
	}
	var due []owed
	for _, k := range is.kinds {
		if !is.Held || k.sendsNone {
			due = append(due, k.due(s, is)...)
		}
	}
	return s.enqueue(ctx, due...)
}

// whatIsOwed asks what some kinds owe now.
func (s *Scheduler) whatIsOwed(ctx context.Context, some []kind) (owing, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	is, err := s.ask(ctx, s.DB.Common(), some)
	if err == nil {
		s.Queue.SetGeneration(is.WorkerDeaths)
	}
	return is, err
}

// send queues what is to leave at once: the shipments and deliveries that are due. If nothing is, it asks one question only.
//
// scheduled: every second.
func (s *Scheduler) send(ctx context.Context, lane int64) error {
	is, err := s.whatIsOwed(ctx, slices.DeleteFunc(kinds(), func(k kind) bool { return !k.atOnce }))
	if err != nil {
		return err
	}
	s.pulse.Beat()
	is.lane = lane
	var due []owed
	for _, k := range is.kinds {
		due = append(due, k.due(s, is)...)
	}
	_, err = s.enqueue(ctx, due...)
	return err
}

// held reports whether the installation is held.
func (s *Scheduler) held(ctx context.Context) (bool, error) {
	_, held, err := s.DB.Hold(ctx)
	return held, err
}

// owed returns the tasks that some rows make due.
type owed func(context.Context) ([]tasks.Task, error)

// when asks only if there is something to be found.
func when(there bool, ask owed) []owed {
	if there {
		return []owed{ask}
	}
	return nil
}

// each returns one task for each row.
func each[Row any](read func(context.Context) ([]Row, error), toTask func(Row) tasks.Task) owed {
	return func(ctx context.Context) ([]tasks.Task, error) {
		rows, err := read(ctx)
		if err != nil {
			return nil, err
		}
		due := make([]tasks.Task, len(rows))
		for i, row := range rows {
			due[i] = toTask(row)
		}
		return due, nil
	}
}

// askLimit is how long the rows may be asked for one kind of work. If the database does not answer, the next sweep asks
// again, on other connections (rule O7).
const askLimit = 20 * time.Second

// enqueue queues the due tasks, in order. What asynq has given up, or was abandoned, is taken up again while its row is owed
// (rule S6). It returns the number of tasks that were not queued already.
func (s *Scheduler) enqueue(ctx context.Context, all ...owed) (queued int, err error) {
	stuck := sync.OnceValues(func() (tasks.Stuck, error) { return s.Queue.Stuck(ctx) })
	for _, ask := range all {
		due, err := inTime(ctx, ask)
		if err != nil {
			return queued, err
		}
		s.pulse.Beat()
		for _, t := range due {
			fresh, err := s.Queue.AddOwed(ctx, t, stuck)
			if err != nil {
				return queued, err
			}
			if fresh {
				queued++
			}
			s.pulse.Beat()
		}
	}
	return queued, nil
}

// inTime asks for one kind of work, and gives up after askLimit.
func inTime(ctx context.Context, ask owed) ([]tasks.Task, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	return ask(ctx)
}
