-- Works since 0020_finding.sql
-- Web processes keep the links of clients in memory while recipients watch. Every change of what a
-- link opens is announced to them, also a deletion that cascades from an interview or a funnel.
CREATE FUNCTION announce_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- PostgreSQL sends equal announcements of a transaction once.
  PERFORM pg_notify('interviews_live', 'links all');
  RETURN NULL;
END $$;
CREATE TRIGGER share_announced AFTER DELETE OR UPDATE OF token_hash, expires_at, revoked_at, closed_at ON share
  FOR EACH ROW EXECUTE FUNCTION announce_links();
CREATE TRIGGER share_batch_announced AFTER UPDATE ON share_batch FOR EACH ROW EXECUTE FUNCTION announce_links();
CREATE TRIGGER share_item_announced AFTER DELETE ON share_item FOR EACH ROW EXECUTE FUNCTION announce_links();

CREATE FUNCTION announce_links_of_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM share_item WHERE interview_id = NEW.id) THEN
    PERFORM pg_notify('interviews_live', 'links all');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER interview_file_announced AFTER UPDATE OF video_file, thumbnail_file ON interview FOR EACH ROW
  WHEN ((OLD.video_file, OLD.thumbnail_file) IS DISTINCT FROM (NEW.video_file, NEW.thumbnail_file))
  EXECUTE FUNCTION announce_links_of_file();
