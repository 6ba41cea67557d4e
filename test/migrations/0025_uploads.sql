INSERT INTO upload (id, account_id, funnel_id, file_name, size_bytes, modified_at, received_bytes, candidate_name,
    candidate_email, title, recorded_at, thumbnail_file, state, problem, duplicate_of, created_at, updated_at)
  SELECT 'upload-00000000-0000-4000-8000-000000000001', account.id, funnel.id, 'dana.mp4', 1000,
    '2026-11-22 00:00:00+00', 500, 'Dana', 'dana@example.com', 'Nurse', '2026-11-21 00:00:00+00', NULL, 'receiving',
    NULL, NULL, '2026-11-22 00:00:00+00', '2026-11-22 00:00:00+00'
  FROM account, funnel WHERE account.username = 'admin' ORDER BY funnel.id LIMIT 1;
INSERT INTO recording_checksum (interview_id, sha256) SELECT id, repeat('a', 64) FROM interview ORDER BY id LIMIT 1;
