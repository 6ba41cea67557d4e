INSERT INTO account (username, password_hash, created_at) VALUES
  ('admin', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g', '2025-01-02 03:04:05.678901+00'),
  ('Ünïcode "quoted"', 'another', '2025-02-02 00:00:00+00');
INSERT INTO session (token_hash, account_id, remembered, created_at, expires_at)
  SELECT '\x00ff10', id, true, '2025-01-03 00:00:00+00', '2099-01-03 00:00:00+00' FROM account WHERE username = 'admin';
INSERT INTO sign_in_failure VALUES ('name:admin', 3, '2099-01-01 00:00:00+00', '2025-01-03 00:00:00+00');
