INSERT INTO read_quota (account_id, reads_left, refilled_at, warned) SELECT id, 12.5, '2026-11-24 00:00:00+00', 1 FROM account WHERE username = 'admin';
