INSERT INTO webhook (funnel_id, secret_hash, secret_sealed, signing_sealed, last_event_at, counted_on, event_count)
  SELECT id, sha256(id::text::bytea), '\x01', '\x02', '2026-11-22 00:00:00+00', '2026-11-22', 3 FROM funnel;
INSERT INTO webhook_event (funnel_id, event_hash, received_at)
  SELECT id, sha256(id::text::bytea), '2026-11-22 00:00:00+00' FROM funnel;
INSERT INTO announced_interview (funnel_id, interview_id) SELECT id, 'iv_announced' FROM funnel;
UPDATE automation SET retry_at = '2026-11-22 00:00:00+00';
UPDATE sync_run SET cause = 'event', announced_up_to = 5 WHERE cause = 'schedule';
