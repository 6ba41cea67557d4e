-- Works since 0020_finding.sql
-- A push writes a note about an interview into the applicant tracking system (ATS), once for each
-- candidate and job (docs/decisions/0043).
CREATE TABLE ats_push (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  interview_id    text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  -- The name of the ATS.
  connection_id   text NOT NULL,
  -- candidateId, employerId and jobId.
  target          jsonb NOT NULL,
  -- The push that was requested last. Users see this one.
  is_current      boolean NOT NULL DEFAULT true,
  -- Whether the candidate and the job were found before the request was accepted.
  is_checked      boolean NOT NULL,
  -- The client's verdict that the note contains: shareId, recipient, verdict and note.
  verdict         jsonb,
  -- ats_content_hash of what was requested last.
  content_hash    text NOT NULL,
  -- The text and the links, until they are written.
  note            jsonb,
  state           text NOT NULL DEFAULT 'pending' CONSTRAINT ats_push_state
    CHECK (state IN ('pending', 'sent', 'unclear', 'failed')),
  -- noteId and url of the stored note.
  parts           jsonb,
  -- Creations since the request. All except the last one are known to have stored nothing.
  attempts        integer NOT NULL DEFAULT 0,
  -- Attempts that did not settle the state, since the last creation.
  checks          integer NOT NULL DEFAULT 0,
  error           text,
  -- When the last creation began, unless it is known to have stored nothing.
  write_began_at  timestamptz,
  -- The next attempt. Null when none follows.
  due_at          timestamptz,
  requested_at    timestamptz NOT NULL DEFAULT now(),
  sent_at         timestamptz,
  -- The claim of the worker, and of its process.
  worker          uuid,
  process         uuid,
  lost_attempts   integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (interview_id, connection_id, target)
);
CREATE UNIQUE INDEX ats_push_current ON ats_push (interview_id) WHERE is_current;
CREATE INDEX ats_push_due ON ats_push (due_at) WHERE due_at IS NOT NULL;

-- The planner keeps no samples of personal values, as in 0013.
ALTER TABLE ats_push ALTER COLUMN target SET STATISTICS 0;
ALTER TABLE ats_push ALTER COLUMN verdict SET STATISTICS 0;
ALTER TABLE ats_push ALTER COLUMN note SET STATISTICS 0;
ALTER TABLE ats_push ALTER COLUMN parts SET STATISTICS 0;
ALTER TABLE ats_push ALTER COLUMN error SET STATISTICS 0;

-- The content of a note about an interview. The note is out of date when this differs.
CREATE FUNCTION ats_content_hash(title text, destination_id text, summary text, verdict text, verdict_note text) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_array(title, destination_id, summary, verdict, verdict_note)::text, 'UTF8')), 'hex')
$$;

-- Notes of erased candidates that are still in the ATS.
CREATE TABLE ats_removal (
  id             integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  connection_id  text NOT NULL,
  target         jsonb NOT NULL,
  -- Null when it is unknown whether and where the note was stored: the marker then finds it.
  note_id        text,
  marker         text NOT NULL,
  url            text,
  -- A note that is not found until this time was not stored.
  search_until   timestamptz NOT NULL DEFAULT now(),
  -- Why the ATS refused.
  failure        text,
  asked_at       timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ats_removal_note ON ats_removal (connection_id, note_id) WHERE note_id IS NOT NULL;

ALTER TABLE ats_removal ALTER COLUMN target SET STATISTICS 0;
ALTER TABLE ats_removal ALTER COLUMN note_id SET STATISTICS 0;
ALTER TABLE ats_removal ALTER COLUMN marker SET STATISTICS 0;
ALTER TABLE ats_removal ALTER COLUMN url SET STATISTICS 0;
ALTER TABLE ats_removal ALTER COLUMN failure SET STATISTICS 0;

ALTER TABLE bulk_run
  -- The URL of the product in links, for notes in the ATS.
  ADD COLUMN origin text,
  DROP CONSTRAINT bulk_run_action,
  ADD CONSTRAINT bulk_run_action CHECK (action IN ('convert', 'transcribe', 'summarize', 'process', 'retry',
    'setDestination', 'undoDestination', 'sendToAts', 'archive', 'unarchive'));
