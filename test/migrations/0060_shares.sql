INSERT INTO share_batch (title, message, client_name, name_shown, shows_contact, shows_transcript, shows_summary,
  shows_questions, may_comment, may_decide, passcode_hash, created_by, created_by_name)
  SELECT 'Three candidates', 'Hello', 'ACME', 'first', false, true, true, true, true, true, '$argon2id$passcode', id, username
  FROM account WHERE username = 'admin';
INSERT INTO share (batch_id, recipient_name, recipient_email, token_hash, expires_at, opened_at, revoked_at, closed_at,
  passcode_tries, expiry_noted_at)
  SELECT max(id), 'Ann Lee', 'ann@example.com', decode(repeat('cd', 32), 'hex'), '2026-12-09 00:00:00+00',
    '2026-11-25 00:00:00+00', '2026-11-26 00:00:00+00', '2026-11-26 00:00:00+00', 3, '2026-12-07 00:00:00+00'
  FROM share_batch;
INSERT INTO share_item (share_id, n, interview_id, watched, first_watched_at, verdict, verdict_note, decided_at)
  SELECT (SELECT max(id) FROM share), 1, (SELECT min(id) FROM interview), '{[0,5),[10,20)}', '2026-11-25 00:00:00+00',
    'yes', 'Very clear answers', '2026-11-25 00:00:00+00';
INSERT INTO share_comment (share_id, n, at_seconds, body) SELECT max(id), 1, 12.5, 'Good example' FROM share;
