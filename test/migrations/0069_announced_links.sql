UPDATE share SET expires_at = expires_at + interval '1 hour';
