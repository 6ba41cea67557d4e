-- Works since 0020_finding.sql
-- The source of interviews of a funnel (contracts/sources.ts).
ALTER TABLE funnel ADD COLUMN source text NOT NULL DEFAULT 'rest'
  CONSTRAINT funnel_source CHECK (source IN ('rest', 'hireflix', 'videoask', 'upload'));

-- The answers of an interview that has one recording per answer. An interview with a single
-- recording has no rows.
CREATE TABLE interview_segment (
  interview_id     text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  -- Starts at 0.
  position         smallint NOT NULL,
  -- The id of the answer at the service.
  source_id        text NOT NULL,
  question         text,
  video_url        text,
  video_file       text,
  thumbnail_url    text,
  thumbnail_file   text,
  -- Seconds; 0 means unknown.
  duration_seconds double precision NOT NULL DEFAULT 0,
  -- Where the answer starts in the joined recording; null until it is joined.
  start_seconds    double precision,
  -- False while the service still processes the recording.
  is_ready         boolean NOT NULL DEFAULT true,
  -- The text of an answer that was written instead of recorded.
  answer_text      text,
  -- The service's own transcript: {text, segments}, with times from the start of this answer.
  transcript       jsonb,
  PRIMARY KEY (interview_id, position)
);
