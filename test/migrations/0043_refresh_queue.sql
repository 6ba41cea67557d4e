INSERT INTO queued_refresh (position, funnel_id, queue_id, total)
  SELECT 2, min(id), '00000000-0000-4000-8000-000000000043', 2 FROM funnel;
UPDATE sync_run SET queue_id = '00000000-0000-4000-8000-000000000043', queue_position = 1, queue_total = 2;
