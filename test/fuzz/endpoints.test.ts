import { afterAll, beforeAll, expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import {
  beginRequiredFactor,
  confirmRequiredFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#contracts/second-factor.ts';
import { getUser } from '#contracts/session.ts';
import { fuzzEndpoints } from './fuzz-endpoints.ts';
import { fuzzSettings } from './fuzz-settings.ts';
import { type FuzzWorld, openWorld } from './world.ts';

/** No request knows the code of an app, or is of an account that has to have one: `session/second-factor` tests what these answer. */
const WANT_A_CODE: string[] = [
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  beginRequiredFactor,
  confirmRequiredFactor,
].map(({ path }) => path);

const { seed, requests } = fuzzSettings;

const everything = new AsyncDisposableStack();
let world: FuzzWorld;
beforeAll(async () => {
  world = await openWorld(everything);
});
afterAll(() => everything.disposeAsync());

test(
  'no request, however odd, gets an answer other than the contracts say, none at all, or one too late',
  async () => {
    const report = await fuzzEndpoints(world, { seed, requests });
    expect(report.findings.join('\n')).toBe('');
    expect(report.requests).toBe(requests);

    expect(report.asNobody, 'the staff stay signed in, so their requests reach what they ask for').toBeLessThan(
      requests / 50,
    );

    const withoutSuccess = API.filter(
      ({ method, path, status = 200 }) =>
        !WANT_A_CODE.includes(path) && !report.answers.has(`${method} ${path} ${status}`),
    );
    expect(withoutSuccess, 'every endpoint is reached').toEqual([]);
    const still = await (await world.product.signedIn()).call(getUser, {});
    expect(still.username).toBe('admin');
  },
  60_000 + requests * 20,
);
