UPDATE funnel SET refresh_minutes = 15, new_interviews = 'summarize', daily_limit = 20, automated_by_id = 1, automated_by = 'admin';
INSERT INTO automation (funnel_id, started_at, last_refresh_at, last_error, failures, paused_at, paused_reason, processed_on, processed_count)
  SELECT id, '2026-11-22 00:00:00+00', '2026-11-22 00:00:00+00', 'Rejected', 2, '2026-11-22 00:00:00+00', 'Rejected', '2026-11-22', 3 FROM funnel
  ON CONFLICT (funnel_id) DO UPDATE SET processed_on = '2026-11-22';
INSERT INTO awaited_processing (interview_id, funnel_id, added_at) SELECT id, funnel_id, '2026-11-22 00:00:00+00' FROM interview;
UPDATE sync_run SET cause = 'schedule' WHERE status = 'running';
