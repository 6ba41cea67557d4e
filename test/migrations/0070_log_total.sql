INSERT INTO log_entry (type, action, status, summary, created_at)
VALUES ('auth', 'sign-in', 'success', 'dana signed in.', '2026-11-26 09:00:00+00');
