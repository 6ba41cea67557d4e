INSERT INTO watched (account_id, interview_id, watched_at)
  SELECT id, 'iv_1', '2026-11-22 00:00:00.125+00' FROM account WHERE username = 'admin';
INSERT INTO answer_start (interview_id, position, start_seconds) VALUES ('iv_1', 0, 1.5);
