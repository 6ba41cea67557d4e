UPDATE interview SET youtube_note = 'It is private', youtube_privacy = 'private', transcription_note = 'Waits', summary_note = 'Waits, too',
  transcription_status = 'in-progress' WHERE id = 'iv_1';
UPDATE interview_text SET transcript_source = 'captions', segments = '[{"startSeconds": 0, "endSeconds": 1.5, "text": "I care."}]',
  summary_structure = '{"overview": "She cares."}' WHERE interview_id = 'iv_1';
INSERT INTO step_run (interview_id, step, run_id, worker, waits, failures, started_at) VALUES
  ('iv_1', 'transcribe', '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-00000000000b', false, 2, '2025-03-09 00:00:00+00');
INSERT INTO publication (interview_id, session, video_file, video_id, video_url, uploaded_at) VALUES
  ('iv_3', '{"address": "https://upload.example/1", "sizeBytes": 5, "etag": "x"}', 'iv_3-0000.mp4', NULL, NULL, NULL);
INSERT INTO transcript_part (interview_id, run_id, part, video_file, start_seconds, segments) VALUES
  ('iv_1', '00000000-0000-4000-8000-000000000003', 0, 'iv_1-0000.mp4', 0.1, '[{"text": "I care."}]');
