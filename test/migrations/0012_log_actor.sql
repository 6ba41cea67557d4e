INSERT INTO log_entry (type, action, status, summary, metadata, created_at,
    actor_kind, actor_account_id, actor_name, actor_address, actor_request_id, content_bytes) VALUES
  ('auth', 'sign-in', 'success', 'admin signed in.', '{"username": "admin"}', '2026-11-22 00:00:00+00',
    'account', 1, 'admin', '203.0.113.5', '00000000-0000-4000-8000-000000000012', 20);
UPDATE step_run SET started_by = '{"kind": "account", "accountId": 1, "name": "admin", "address": null, "requestId": null}';
