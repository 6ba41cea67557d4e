/** How much is tried, and from which seed. The suite tries the same at each run; `npm run test:fuzz` says otherwise. */
export const fuzzSettings = {
  seed: Number(process.env.FUZZ_SEED ?? 20_260_301),
  requests: Number(process.env.FUZZ_REQUESTS ?? 20_000),
};
