-- Works since 0020_finding.sql
-- Lists by one's own reviews cache counts per day. Withdrawing a review changes the counts of its
-- day, as marking an interview as unwatched does (0042).
CREATE TRIGGER review_delete AFTER DELETE ON review REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_follow_unwatched();
