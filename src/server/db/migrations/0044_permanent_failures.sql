-- Works since 0020_finding.sql
-- Marks failed steps that would fail again, such as transcribing a recording without audio.
ALTER TABLE interview
  ADD COLUMN youtube_permanent       boolean NOT NULL DEFAULT false,
  ADD COLUMN transcription_permanent boolean NOT NULL DEFAULT false,
  ADD COLUMN summary_permanent       boolean NOT NULL DEFAULT false;
