UPDATE funnel SET process_automatically = true;
INSERT INTO bulk_run (action, destination_id, destination_notes, status, all_decided, total, done_count, started_count, failed_count,
  skipped_count, started_by, worker, cancel_requested_at, error, finished_at)
  VALUES ('setDestination', 'BUB-ACME-1', 'Notes', 'canceled', true, 1, 0, 0, 1, 0, '{"kind": "system"}',
    '00000000-0000-0000-0000-000000000001', '2026-11-22 00:00:00+00', 'Stopped', '2026-11-22 00:00:00+00');
INSERT INTO bulk_item (run_id, interview_id, position, outcome, reason, open_steps)
  SELECT r.id, i.id, row_number() OVER (ORDER BY i.id), 'failed', 'No speech found', '{convert}' FROM bulk_run AS r, interview AS i;
