INSERT INTO funnel (name, client_name, description, api_key_encrypted, external_id, direct_link, skills, professional_expectations,
  skill_expectations, education_expectations, culture_expectations, is_active, created_at) VALUES
  ('Nurses', 'Clinic', 'Nights', '\x0102', 'nurses', 'https://example.com', 'Care', 'Two years', 'Calm', 'Diploma', 'Kind', true, '2025-01-04 00:00:00+00'),
  ('Engineers', NULL, NULL, '\x0304', 'engineers', NULL, NULL, NULL, NULL, NULL, NULL, false, '2025-01-05 00:00:00+00');
INSERT INTO interview (id, funnel_id, title, description, candidate_name, candidate_email, candidate_phone, recorded_at, created_at,
  source_updated_at, duration_seconds, original_url, thumbnail_url, thumbnail_file, video_url, video_file, questions, youtube_id, youtube_url,
  youtube_status, youtube_progress, youtube_error, youtube_at, transcription_status, transcription_error, transcription_at, summary_status,
  summary_error, summary_at, destination_id, destination_notes, destination_at, archived_at) VALUES
  ('iv_1', 1, 'Nurse – Ana', 'One take', 'Ana', 'ana@example.com', '+1', '2025-03-01 10:00:00.123456+00', '2025-03-01 09:00:00+00',
   '2025-03-02 00:00:00+00', 61, 'https://a.example/1', 'https://a.example/1.jpg', 'iv_1-0000.jpg', 'https://a.example/1.mp4', 'iv_1-0000.mp4',
   '[{"position": 0, "question": "Why \"nights\"?"}]', 'yt1', 'https://youtube.example/yt1', 'completed', 100, NULL, '2025-03-03 00:00:00+00',
   'completed', NULL, '2025-03-03 01:00:00+00', 'failed', 'No words', '2025-03-03 02:00:00+00', 'BUB-ACME-1', 'Call', '2025-03-04 00:00:00+00', NULL),
  ('iv_2', 1, 'Archived', NULL, NULL, NULL, NULL, '2025-03-02 10:00:00+00', '2025-03-02 09:00:00+00', NULL, 0, NULL, NULL, NULL, NULL, NULL, '[]',
   NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-05 00:00:00+00'),
  ('iv_3', 2, 'Under way', NULL, 'Bo', NULL, NULL, '2025-03-02 23:59:59+00', '2025-03-02 09:00:00+00', NULL, 5, NULL, NULL, NULL, NULL, NULL, '[]',
   NULL, NULL, 'failed', 40, 'Refused', '2025-03-03 00:00:00+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO interview_text (interview_id, transcription_text, summary_text) VALUES ('iv_1', E'I care.\nMuch.', 'She cares.'), ('iv_3', 'Hm', NULL);
