INSERT INTO saved_view (account_id, name, query, created_at)
  SELECT id, 'New nurses', 'status=new&funnel=1', '2026-11-22 00:00:00+00' FROM account WHERE username = 'admin';
