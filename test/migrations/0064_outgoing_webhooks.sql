INSERT INTO outgoing_webhook (url_sealed, host, events, format, includes_personal_data, secret_sealed, former_secret_sealed, former_secret_until, failures, failing_since, resume_at, paused_at, pause_reason)
  VALUES ('\xabab', 'example.com', '{interview.added}', 'json', true, '\xabab', '\xabab', '2026-11-26 00:00:00+00', 2, '2026-11-25 00:00:00+00', '2026-11-25 00:01:00+00', '2026-11-25 00:00:00+00', 'It answered 410.');
INSERT INTO webhook_delivery (webhook_id, event_id, type, interview_id, actor, data, claim, claimed_until, attempts, attempted_at, duration_ms, status, answer, error)
  SELECT id, '00000000-0000-4000-8000-000000000001', 'interview.added', 'iv_1', '{"kind": "system", "id": null, "name": null}', '{"funnelId": 1}',
    '00000000-0000-4000-8000-000000000002', '2026-11-25 00:01:00+00', 1, '2026-11-25 00:00:00+00', 120, 500, 'no', 'It answered 500.' FROM outgoing_webhook;
