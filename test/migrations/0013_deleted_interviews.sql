INSERT INTO deleted_interview (interview_id, email_mark, sealed, deleted_at) VALUES
  ('iv_deleted', '\x00ff13', '\x76696d33', '2026-11-22 00:00:00+00');
INSERT INTO video_removal (video_id, video_url, failure, asked_at, is_erased) VALUES
  ('video-13', 'https://video.example/13', NULL, '2026-11-22 00:00:00+00', false);
