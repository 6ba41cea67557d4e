import pg from 'pg';

/** Returns a message for each table that lacks rows of the backup. */
export async function findWrongCounts(
  client: pg.Client,
  expected: Readonly<Record<string, number>>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, count] of Object.entries(expected)) {
    const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${pg.escapeIdentifier(name)}`);
    if (rows[0]?.n !== count) problems.push(`Table ${name} has ${rows[0]?.n} of ${count} rows.`);
  }
  return problems;
}

/** Each interview must be in the list as it is, and the counts of the days add up to them. */
export async function findWrongList(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ interviews: number; listed: number; counted: number }>(
    `SELECT (SELECT count(*) FROM interview)::int AS interviews,
       (SELECT count(*) FROM interview AS i JOIN listing AS l
          ON (l.interview_id, l.funnel_id, l.recorded_at, l.facts, l.archived) = (i.id, i.funnel_id, i.recorded_at, i.facts, i.archived_at IS NOT NULL))::int AS listed,
       (SELECT coalesce(sum(n), 0) FROM listing_count)::int AS counted`,
  );
  const { interviews = 0, listed, counted } = rows[0] ?? {};
  return listed === interviews && counted === interviews
    ? []
    : [`The list has ${listed} and counts ${counted} of ${interviews} interviews.`];
}
