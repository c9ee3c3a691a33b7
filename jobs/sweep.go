package jobs

import "context"

// sweepMost is how many shipments or hand-overs one sweep queues. The next one goes on.
const sweepMost = 5000

// Sweep asks the rows what is owed and queues it. It returns how many tasks it queued that were not queued already. If
// Redis has lost everything, the sweep brings it back.
//
// scheduled: every few seconds, and at every step of a test clock.
func (s *Scheduler) Sweep(ctx context.Context) (queued int, err error) {
	return s.enqueue(ctx,
		s.owedPoll,
		each(s.DB.UnfinishedRuns, runTask),
		each(s.dueRuns, runTask),
		each(s.DB.UnfinishedFiles, importTask),
		each(s.DB.CreditorsWithoutLikelyPayers, suggestTask),
		each(s.dueShipments, shipTask),
		each(s.dueHandOvers, collectTask),
		s.owedDeliveries)
}

// owed asks some rows what is owed.
type owed func(context.Context) ([]task, error)

// each has each row owe a task.
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

// enqueue queues what is owed, in order, and returns how many tasks were not queued already.
func (s *Scheduler) enqueue(ctx context.Context, all ...owed) (queued int, err error) {
	for _, ask := range all {
		tasks, err := ask(ctx)
		if err != nil {
			return queued, err
		}
		for _, t := range tasks {
			fresh, err := s.Queue.add(ctx, t)
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
