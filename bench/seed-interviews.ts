import type pg from 'pg';

/**
 * Fills a database with `count` interviews over three years, and a tenth as many archived ones: 40
 * funnels of 8 clients, realistic names and titles, most of them sent, one in fifty with a
 * transcript.
 */
export async function seedInterviews(client: pg.Client | pg.Pool, count: number): Promise<void> {
  await client.query(`
    INSERT INTO funnel (name, client_name, external_id, api_key_encrypted)
    SELECT 'Funnel ' || n, 'Client ' || chr(64 + 1 + n % 8), 'funnel-' || n, ''::bytea FROM generate_series(1, 40) AS n`);
  await client.query(SEED_SQL, [count]);
  await client.query(`
    INSERT INTO interview_text (interview_id, transcription_text)
    SELECT id, 'In my last role I led the team that moved our platform to kubernetes. ' || repeat(md5(id) || ' with customers every day. ', 20)
    FROM interview WHERE transcription_status = 'completed' AND hashtext(id) % 20 = 0`);
  await client.query('VACUUM ANALYZE interview, listing, listing_count, interview_text');
}

const SEED_SQL = `
WITH pools AS (SELECT
  ARRAY['Amara','Ben','Chidi','Dana','Elif','Farid','Grace','Hiro','Ines','Jonas','Kofi','Lena','Mateo','Nadia','Omar','Priya','Quinn','Rosa','Sven','Tara'] AS first,
  ARRAY['Okafor','Smith','Nakamura','Garcia','Kaya','Haddad','Lindqvist','Moreau','Novak','Patel','Rossi','Schmidt','Tanaka','Ueda','Varga','Weber','Xu','Young','Zimmer','Olsen'] AS last,
  ARRAY['Senior Frontend Engineer','Customer Support Lead','Registered Nurse','Warehouse Team Lead','Data Engineer','Account Manager','Site Reliability Engineer','Recruiter','Accountant','Electrician'] AS job
)
INSERT INTO interview (id, funnel_id, title, description, candidate_name, candidate_email, recorded_at, created_at, duration_seconds,
  original_url, thumbnail_url, video_url, questions, youtube_id, youtube_status, transcription_status, summary_status, destination_id, archived_at)
SELECT 'iv_' || lpad(to_hex(n * 2654435761::bigint % 4294967296), 8, '0') || '_' || n,
  1 + n % 40,
  job[1 + (h % 10)] || ' - ' || first[1 + (h / 10 % 20)] || ' ' || last[1 + (h / 200 % 20)],
  'One-way interview, five questions.',
  first[1 + (h / 10 % 20)] || ' ' || last[1 + (h / 200 % 20)],
  lower(first[1 + (h / 10 % 20)] || '.' || last[1 + (h / 200 % 20)]) || n || '@example.com',
  timestamptz '2026-11-20' - (h % 94608000) * interval '1 second',
  timestamptz '2026-11-20' - (h % 94608000) * interval '1 second',
  60 + h % 600,
  'https://interviews.example.com/i/' || n, 'https://interviews.example.com/t/' || n || '.jpg', 'https://interviews.example.com/v/' || n || '.mp4',
  '[{"position":0,"question":"<b>Tell us</b> about yourself."},{"position":1,"question":"Why this role?"},{"position":2,"question":"What was hard?"}]',
  CASE WHEN h % 10 > 3 THEN 'yt' || n END, CASE WHEN h % 10 > 3 THEN 'completed' WHEN h % 1000 = 1 THEN 'failed' END,
  CASE WHEN h % 10 > 4 THEN 'completed' WHEN h % 5000 = 2 THEN 'in-progress' END, CASE WHEN h % 10 > 5 THEN 'completed' END,
  CASE WHEN h % 10 > 6 THEN 'BUB-ACME-' || n END, CASE WHEN n > $1::int THEN timestamptz '2026-11-20' END
FROM pools, generate_series(1, $1::int + $1::int / 10) AS n, LATERAL (SELECT abs(hashint4(n))::bigint AS h) AS hashed`;
