-- Notes for the user: why a step is waiting, or how its result differs from the request.
ALTER TABLE interview
  ADD COLUMN youtube_note       text,
  ADD COLUMN youtube_privacy    text CONSTRAINT interview_youtube_privacy CHECK (youtube_privacy IN ('private', 'unlisted', 'public')),
  ADD COLUMN transcription_note text,
  ADD COLUMN summary_note       text;

ALTER TABLE interview_text
  ADD COLUMN transcript_source text CONSTRAINT interview_text_source
    CHECK (transcript_source IN ('transcription', 'captions', 'interview-service', 'staff')),
  -- The transcript with times: a list of { startSeconds, endSeconds, text }.
  ADD COLUMN segments          jsonb,
  -- The data that the summary text is rendered from. Null once a user has edited the text.
  ADD COLUMN summary_structure jsonb;

-- A running or waiting step. The row exists if and only if the status is in-progress.
CREATE TABLE step_run (
  interview_id text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  step         text NOT NULL CONSTRAINT step_run_step CHECK (step IN ('convert', 'transcribe', 'summarize')),
  run_id       uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The claim of the process that executes the step. A process that finds another claim stops.
  worker       uuid,
  -- A summary that waits for the transcript of the same interview. It has no job until then.
  waits        boolean NOT NULL DEFAULT false,
  -- Attempts that failed at an external service.
  failures     integer NOT NULL DEFAULT 0,
  started_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (interview_id, step)
);

-- Progress of publishing a video. The row survives failures: the next attempt resumes the same
-- upload.
CREATE TABLE publication (
  interview_id text COLLATE "C" PRIMARY KEY REFERENCES interview ON DELETE CASCADE,
  -- The upload URL at the host, and its file. The URL grants write access to the video.
  session      jsonb,
  -- The recording, by its name in the file store. A new recording is published again.
  video_file   text NOT NULL,
  -- Set once the host has received the whole video.
  video_id     text,
  video_url    text,
  uploaded_at  timestamptz
);

-- Transcribed parts of a recording, so that a restart does not pay for them again.
CREATE TABLE transcript_part (
  interview_id  text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  run_id        uuid NOT NULL,
  part          integer NOT NULL,
  -- The recording, by its name in the file store. A new recording is transcribed from the start.
  video_file    text NOT NULL,
  start_seconds double precision NOT NULL,
  segments      jsonb NOT NULL,
  PRIMARY KEY (interview_id, run_id, part)
);
