/**
 * Runs every measurement once per round, in this order, so that other load on the machine affects
 * all of them alike. Returns the results by name.
 */
export async function inRounds<Name extends string>(
  rounds: number,
  measurements: Record<Name, (round: number) => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const results: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [name, measure] of Object.entries<(round: number) => Promise<number>>(measurements)) {
      results[name] ??= [];
      results[name].push(await measure(round));
    }
  return results as Record<Name, number[]>;
}
