INSERT INTO log_entry (type, action, status, summary, details, metadata, created_at) VALUES
  ('refresh', 'sync-interviews', 'success', 'Nurses: done', '{"detailedChanges": {"iv_1": {"title": "Nurse – Ana"}}}', '{"count": 2}', '2025-03-07 00:01:00+00'),
  ('auth', 'login', 'info', 'admin signed in.', NULL, NULL, '2025-03-07 00:00:00+00');
