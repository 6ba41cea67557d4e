-- Finds the interview of a played recording, for its log entry.
CREATE INDEX interview_video_file ON interview (video_file) WHERE video_file IS NOT NULL;
