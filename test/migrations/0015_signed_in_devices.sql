INSERT INTO session (token_hash, account_id, remembered, created_at, expires_at, device, address, last_used_at, is_replaced)
  SELECT '\x00ff15', id, true, '2026-11-22 00:00:00+00', '2100-01-01 00:00:00+00', 'Firefox on Linux', '203.0.113.5',
    '2026-11-22 00:00:00+00', false FROM account WHERE username = 'admin';
