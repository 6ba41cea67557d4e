-- Works since 0020_finding.sql
-- A failed step that would fail again, such as the transcription of a recording without sound.
ALTER TABLE interview
  ADD COLUMN youtube_permanent       boolean NOT NULL DEFAULT false,
  ADD COLUMN transcription_permanent boolean NOT NULL DEFAULT false,
  ADD COLUMN summary_permanent       boolean NOT NULL DEFAULT false;
