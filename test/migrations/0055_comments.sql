INSERT INTO comment (interview_id, account_id, author, body, at_seconds, edited_at)
  SELECT 'iv_1', id, username, 'Listen again.', 12.5, '2026-11-25 00:00:00+00' FROM account WHERE username = 'admin';
