INSERT INTO api_token (account_id, name, scopes, token_hash, prefix, expires_at, created_at, last_used_at, last_used_address)
  SELECT id, 'Nightly export', '{read,logs}', decode(repeat('cd', 32), 'hex'), 'vim_0123abcd', '2027-11-24 00:00:00+00',
    '2026-11-24 00:00:00+00', '2026-11-25 00:00:00+00', '192.0.2.7'
  FROM account WHERE username = 'admin';
