INSERT INTO notice (account_id, kind, interview_id, actor, is_mail_due) SELECT id, 'mention', 'iv_1', 'ben', true FROM account WHERE username = 'admin';
INSERT INTO notice (account_id, kind, share_id, actor, is_mail_due, read_at) SELECT id, 'opened', 1, 'Carla', false, '2026-11-25 00:00:00+00' FROM account WHERE username = 'admin';
INSERT INTO notice_settings (account_id, opened, verdict, mention, expiring) SELECT id, 'daily', 'now', 'now', 'off' FROM account WHERE username = 'admin';
