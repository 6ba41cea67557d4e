INSERT INTO sync_run (id, funnel_id, timeframe, status, created_after, worker, cursor, all_read, processed, total, new_count, updated_count,
  archived_count, skipped_count, field_change_count, total_files, downloaded_files, failed_files, message, error, started_at, finished_at) VALUES
  ('00000000-0000-4000-8000-000000000001', 1, 'all', 'completed', NULL, '00000000-0000-4000-8000-00000000000a', NULL, true, 2, 2, 1, 1, 1, 1, 2, 2,
   1, 1, 'Processed 2 interviews', NULL, '2025-03-07 00:00:00+00', '2025-03-07 00:01:00+00'),
  ('00000000-0000-4000-8000-000000000002', 1, 'future', 'running', '2025-03-07 00:00:00+00', NULL, '{"page": 2}', false, 1, 2, 0, 1, 0, 0, 1, 1, 0,
   0, NULL, NULL, '2025-03-08 00:00:00+00', NULL);
INSERT INTO sync_change VALUES ('00000000-0000-4000-8000-000000000002', 'iv_1', 'title', 'Nurse – Ana', NULL, 'Nurse – Ana');
INSERT INTO sync_skip VALUES ('00000000-0000-4000-8000-000000000002', 'iv_2', 'Archived', 'This interview is archived and is not updated.');
INSERT INTO sync_file VALUES ('00000000-0000-4000-8000-000000000002', 'iv_1', 'video', 'https://a.example/1.mp4', NULL);
