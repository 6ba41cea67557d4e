/**
 * True for `npm run bench -- --smoke`: every benchmark runs once with tiny sizes to show that it
 * still works. Its figures mean nothing and its aims are not judged.
 */
export const isSmoke = process.argv.includes('--smoke');

/** Returns the size of a real measurement, or the tiny one in a smoke run. */
export const sized = <Size>(real: Size, tiny: Size): Size => (isSmoke ? tiny : real);

/** Returns the duration of the call in milliseconds. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/**
 * Runs every measurement once per round, in this order, so that other load on the machine affects
 * all of them alike. Returns the results by name.
 */
export async function inRounds<Name extends string>(
  rounds: number,
  measurements: Record<Name, (round: number) => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measurements) as Name[];
  const results = Object.fromEntries(names.map((name): [Name, number[]] => [name, []])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) results[name].push(await measurements[name](round));
  return results;
}
