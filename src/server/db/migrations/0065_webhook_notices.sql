-- Works since 0020_finding.sql
-- The notice to administrators that a webhook was paused.
ALTER TABLE notice DROP CONSTRAINT notice_kind_check;
ALTER TABLE notice ADD CONSTRAINT notice_kind_check CHECK (kind IN ('opened', 'verdict', 'mention', 'expiring', 'webhook'));
-- Deliveries that an administrator sends now, among many that wait.
CREATE INDEX webhook_delivery_forced ON webhook_delivery (webhook_id) WHERE is_forced AND state = 'pending';
