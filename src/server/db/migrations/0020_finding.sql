-- Named filters of the interview list. Each belongs to an account.
CREATE TABLE saved_view (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account ON DELETE CASCADE,
  name       text NOT NULL CONSTRAINT saved_view_name CHECK (char_length(name) BETWEEN 1 AND 60),
  -- The query string of the list's URL, without the question mark.
  query      text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX saved_view_account ON saved_view (account_id);

-- Finds the last destination of a funnel. Its employer id is suggested for the next one.
CREATE INDEX interview_last_destination ON interview (funnel_id, destination_at DESC NULLS LAST) INCLUDE (destination_id)
  WHERE destination_id IS NOT NULL;
