package jobs

import "context"

// sweepMost is the most hand-overs that one sweep queues. The next sweep queues more.
const sweepMost = 5000

// Sweep reads from the rows what work is due, and queues it. It returns the number of tasks that were not queued
// already. If Redis has lost everything, the sweep queues it again.
//
// scheduled: every few seconds, and at every step of a test clock.
func (s *Scheduler) Sweep(ctx context.Context) (queued int, err error) {
	return s.enqueue(ctx,
		s.owedPoll,
		each(s.DB.UnfinishedRuns, runTask),
		each(s.dueRuns, runTask),
		each(s.DB.UnfinishedFiles, importTask),
		each(s.DB.CreditorsWithoutLikelyPayers, suggestTask),
		s.owedShipments(0),
		each(s.dueHandOvers, collectTask),
		s.owedDeliveries)
}

// owed returns the tasks that some rows make due.
type owed func(context.Context) ([]task, error)

// each returns one task for each row.
func each[Row any](read func(context.Context) ([]Row, error), toTask func(Row) task) owed {
	return func(ctx context.Context) ([]task, error) {
		rows, err := read(ctx)
		if err != nil {
			return nil, err
		}
		tasks := make([]task, len(rows))
		for i, row := range rows {
			tasks[i] = toTask(row)
		}
		return tasks, nil
	}
}

// enqueue queues the due tasks, in order. What asynq has given up is taken up again while its row is owed (rule S6). It
// returns the number of tasks that were not queued already.
func (s *Scheduler) enqueue(ctx context.Context, all ...owed) (queued int, err error) {
	deaths, err := s.DB.WorkerDeaths(ctx)
	if err != nil {
		return 0, err
	}
	s.Queue.generation.Store(deaths)
	givenUp, err := s.Queue.givenUp(ctx)
	if err != nil {
		return 0, err
	}
	for _, ask := range all {
		tasks, err := ask(ctx)
		if err != nil {
			return queued, err
		}
		for _, t := range tasks {
			fresh, err := s.Queue.add(ctx, t)
			if err == nil && !fresh && givenUp[s.Queue.id(t)] {
				fresh, err = s.Queue.addAgain(ctx, t)
			}
			if err != nil {
				return queued, err
			}
			if fresh {
				queued++
			}
		}
	}
	return queued, nil
}
