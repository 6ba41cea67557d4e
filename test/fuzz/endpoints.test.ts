import { afterAll, beforeAll, expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import { revokeApiToken } from '#contracts/api-tokens.ts';
import { sendToAts } from '#contracts/ats-pushes.ts';
import { cancelBulkRun } from '#contracts/bulk.ts';
import { checkFunnel } from '#contracts/funnels.ts';
import {
  beginRequiredFactor,
  confirmRequiredFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#contracts/second-factor.ts';
import { confirmIdentity, getUser, replaceDefaultPassword, signOutDevice } from '#contracts/session.ts';
import { createUpload, deleteUpload, keepDuplicate } from '#contracts/uploads.ts';
import { fuzzEndpoints } from './fuzz-endpoints.ts';
import { fuzzSettings } from './fuzz-settings.ts';
import { type FuzzWorld, openWorld } from './world.ts';

/**
 * Endpoints whose success needs a current code, an account that must set up a second factor or
 * still has the default password, the id of a signed-in device or an API token, a pending identity,
 * a bulk run that has not ended, the key of a funnel, a funnel for uploads, or a destination with
 * its candidate in the ATS. The tests of `session`, `bulk`, `funnels`, `uploads` and `ats-pushes`
 * cover them.
 */
const UNREACHED_PATHS: string[] = [
  checkFunnel,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  beginRequiredFactor,
  confirmRequiredFactor,
  replaceDefaultPassword,
  confirmIdentity,
  signOutDevice,
  revokeApiToken,
  cancelBulkRun,
  createUpload,
  keepDuplicate,
  deleteUpload,
  sendToAts,
].map(({ path }) => path);

const { seed, requests } = fuzzSettings;

const cleanup = new AsyncDisposableStack();
let world: FuzzWorld;
beforeAll(async () => {
  world = await openWorld(cleanup);
});
afterAll(() => cleanup.disposeAsync());

test(
  'no request, however odd, gets a response outside the contracts, a late response, or none',
  async () => {
    const report = await fuzzEndpoints(world, { seed, requests });
    expect(report.findings.join('\n')).toBe('');
    expect(report.requests).toBe(requests);

    expect(report.unauthenticated, 'the staff stay signed in, so that their requests reach the endpoints').toBeLessThan(
      requests / 50,
    );

    const withoutSuccess = API.filter(
      ({ method, path, status = 200 }) =>
        !UNREACHED_PATHS.includes(path) && !report.responses.has(`${method} ${path} ${status}`),
    );
    expect(
      withoutSuccess.map(({ method, path }) => `${method} ${path}`),
      'every endpoint is reached',
    ).toEqual([]);
    const still = await (await world.product.signedIn()).call(getUser, {});
    expect(still.username).toBe('admin');
  },
  60_000 + requests * 20,
);
