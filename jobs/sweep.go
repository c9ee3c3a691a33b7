package jobs

import "context"

// sweepMost is how many shipments one sweep queues. The next one goes on.
const sweepMost = 5000

// Sweep asks the rows what is owed and queues it: looks into the bank's folder, runs, files, suggestions, shipments,
// hand-overs, deliveries to webhooks. It returns how many tasks it queued that were not queued already. Redis may
// have lost everything: this is what brings it back.
//
// scheduled: every few seconds, at the times of the schedule, and at every step of a test clock.
func (s *Scheduler) Sweep(ctx context.Context) (queued int, err error) {
	return s.enqueue(ctx, s.owedFetch, s.owedRuns, s.owedFiles, s.owedSuggestions, s.owedShipments, s.owedHandOvers, s.owedDeliveries)
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

// owedFiles returns the payment files whose import was broken off, or owes something since.
func (s *Scheduler) owedFiles(ctx context.Context) ([]task, error) {
	files, err := s.DB.UnfinishedFiles(ctx)
	if err != nil {
		return nil, err
	}
	tasks := make([]task, len(files))
	for i, f := range files {
		tasks[i] = importTask(f.ID)
	}
	return tasks, nil
}

// owedShipments returns the shipments that are due.
func (s *Scheduler) owedShipments(ctx context.Context) ([]task, error) {
	shipments, err := s.DB.OwedShipments(ctx, s.Clock.Now(), sweepMost)
	if err != nil {
		return nil, err
	}
	tasks := make([]task, len(shipments))
	for i, shipment := range shipments {
		tasks[i] = shipTask(shipment.ID)
	}
	return tasks, nil
}

// owedDeliveries returns the lanes of the webhooks that have something due. The lanes find for themselves
// what it is: however much is owed to a webhook, its tasks are few.
func (s *Scheduler) owedDeliveries(ctx context.Context) ([]task, error) {
	webhooks, err := s.DB.WebhooksDue(ctx, s.Clock.Now())
	if err != nil {
		return nil, err
	}
	var tasks []task
	for _, hook := range webhooks {
		for lane := range int64(webhookLanes) {
			tasks = append(tasks, laneTask(lanePayload{hook.CreditorID, hook.ID, lane}))
		}
	}
	return tasks, nil
}
