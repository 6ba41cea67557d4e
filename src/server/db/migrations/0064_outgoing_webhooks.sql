-- Works since 0020_finding.sql
-- URLs that receive events.
CREATE TABLE outgoing_webhook (
  id                     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Encrypted: a URL of Slack or Teams is itself a secret. Only the host is plain.
  url_sealed             bytea NOT NULL,
  host                   text NOT NULL,
  events                 text[] NOT NULL,
  format                 text NOT NULL CHECK (format IN ('json', 'slack', 'teams')),
  includes_personal_data boolean NOT NULL,
  is_active              boolean NOT NULL DEFAULT true,
  secret_sealed          bytea NOT NULL,
  -- The secret before the last replacement. It also signs until this time.
  former_secret_sealed   bytea,
  former_secret_until    timestamptz,
  -- Attempts that failed since the last success.
  failures               integer NOT NULL DEFAULT 0,
  failing_since          timestamptz,
  -- After many failures it is not called before.
  resume_at              timestamptz,
  -- When and why the product turned it off.
  paused_at              timestamptz,
  pause_reason           text,
  created_at             timestamptz NOT NULL DEFAULT now()
);

-- An event for one URL. Deleted with its interview.
CREATE TABLE webhook_delivery (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id    integer NOT NULL REFERENCES outgoing_webhook ON DELETE CASCADE,
  -- The same for every attempt, and for every URL that receives the event.
  event_id      uuid NOT NULL,
  type          text NOT NULL,
  -- Deliveries of an interview to a URL are sent one after another.
  interview_id  text COLLATE "C" REFERENCES interview ON DELETE CASCADE,
  actor         jsonb NOT NULL,
  data          jsonb NOT NULL,
  state         text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  -- The next attempt is made also if the webhook is off or waits.
  is_forced     boolean NOT NULL DEFAULT false,
  due_at        timestamptz NOT NULL DEFAULT now(),
  -- The process that sends it, which renews the time.
  claim         uuid,
  claimed_until timestamptz,
  attempts      integer NOT NULL DEFAULT 0,
  -- The last attempt, and the response to it. Without a response, `status` is null.
  attempted_at  timestamptz,
  duration_ms   integer,
  status        integer,
  answer        text,
  error         text,
  created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, due_at, id) WHERE state = 'pending';
CREATE INDEX webhook_delivery_order ON webhook_delivery (webhook_id, interview_id, id)
  WHERE state = 'pending' AND interview_id IS NOT NULL;
CREATE INDEX webhook_delivery_listed ON webhook_delivery (webhook_id, id);
CREATE INDEX webhook_delivery_interview ON webhook_delivery (interview_id) WHERE interview_id IS NOT NULL;
CREATE INDEX webhook_delivery_created ON webhook_delivery USING brin (created_at);
