/**
 * The number of requests and the seed. `npm test` sends the same 4,000 requests in every run; `npm
 * run test:fuzz` sends more with another seed.
 */
export const fuzzSettings = {
  seed: Number(process.env.FUZZ_SEED ?? 20_260_301),
  requests: Number(process.env.FUZZ_REQUESTS ?? 4_000),
};
