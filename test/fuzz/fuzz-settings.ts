/**
 * The number of requests and the seed. `npm test` sends the same 4,000 requests in every run; `npm
 * run test:fuzz` sends more with another seed.
 */
export const fuzzSettings = {
  seed: wholeNumber('FUZZ_SEED', 20_260_301),
  requests: wholeNumber('FUZZ_REQUESTS', 4_000),
};

function wholeNumber(variable: string, fallback: number): number {
  const number = Number(process.env[variable] ?? fallback);
  if (!(Number.isInteger(number) && number > 0)) throw new Error(`${variable} must be a whole number above 0.`);
  return number;
}
