package jobs

import "context"

// sweepMost is how many shipments or hand-overs one sweep queues. The next one goes on.
const sweepMost = 5000

// Sweep asks the rows what is owed and queues it: polls of the bank's folder, runs, payment files, suggestions,
// shipments, hand-overs, deliveries to webhooks. It returns how many tasks it queued that were not queued already. If
// Redis has lost everything, the sweep brings it back.
//
// scheduled: every few seconds, at the times of the schedule, and at every step of a test clock.
func (s *Scheduler) Sweep(ctx context.Context) (queued int, err error) {
	return s.enqueue(ctx, s.owedPoll, s.owedRuns, s.owedFiles, s.owedSuggestions, s.owedShipments, s.owedHandOvers, s.owedDeliveries)
}

// enqueue queues what is owed, and returns how many tasks were not queued already.
func (s *Scheduler) enqueue(ctx context.Context, all ...func(context.Context) ([]task, error)) (queued int, err error) {
	for _, owed := range all {
		tasks, err := owed(ctx)
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

// tasks returns the task of each row.
func tasks[Row any](rows []Row, of func(Row) task) []task {
	all := make([]task, len(rows))
	for i, row := range rows {
		all[i] = of(row)
	}
	return all
}
