INSERT INTO erasure_key (key_sealed) VALUES ('\x76696d31');
INSERT INTO erasure_mark (mark, erased_at) VALUES ('\xabcdef', '2025-03-10 00:00:00+00');
INSERT INTO video_removal (video_id, video_url, failure, asked_at) VALUES ('yt9', 'https://youtube.example/yt9', 'Not allowed', '2025-03-10 00:00:00+00');
