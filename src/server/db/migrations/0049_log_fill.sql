-- Works since 0020_finding.sql
-- Entries about one funnel, or about one interview that still exists. Others keep null, as do bulk
-- runs: administrators and their actor read them.
UPDATE log_entry AS entry SET funnel_id = found.funnel_id FROM (
  SELECT log_entry.id,
    coalesce((metadata ->> 'funnelId')::integer, (metadata #>> '{funnelDetails,id}')::integer, interview.funnel_id) AS funnel_id
  FROM log_entry LEFT JOIN interview ON interview.id = metadata ->> 'interviewId'
) AS found
WHERE found.id = entry.id AND found.funnel_id IS NOT NULL;
