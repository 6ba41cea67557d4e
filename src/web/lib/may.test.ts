import { expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import { hasRole, ROLES } from '#contracts/rules/roles.ts';
import { mayCall, type RestrictedRoute } from './may.ts';

/** Complete, because the compiler requires every route. */
const ROUTES: Record<RestrictedRoute, true> = {
  'GET /api/accounts': true,
  'GET /api/automations': true,
  'GET /api/interviews/sync': true,
  'GET /api/logs': true,
  'GET /api/setup': true,
  'GET /api/shares': true,
  'GET /api/webhooks': true,
  'POST /api/shares': true,
  'POST /api/bulk': true,
  'POST /api/funnels': true,
  'PUT /api/funnels/:id': true,
  'DELETE /api/funnels/:id': true,
  'POST /api/funnels/:id/activate': true,
  'POST /api/interviews/:id/answers': true,
  'POST /api/interviews/:id/archive': true,
  'POST /api/interviews/:id/ats': true,
  'POST /api/interviews/:id/convert': true,
  'POST /api/interviews/:id/destination': true,
  'POST /api/interviews/:id/dismiss-failures': true,
  'POST /api/interviews/:id/summarize': true,
  'POST /api/interviews/:id/transcribe': true,
  'PUT /api/interviews/:id/transcript': true,
  'POST /api/interviews/:id/update-duration': true,
  'POST /api/uploads': true,
};

test.each(Object.keys(ROUTES) as RestrictedRoute[])(
  'the browser offers %s to the users whom the server lets call it',
  (route) => {
    const endpoint = API.find(({ method, path }) => `${method} ${path}` === route);
    for (const role of ROLES) {
      for (const allFunnels of [true, false]) {
        const isServed =
          endpoint !== undefined &&
          endpoint.role !== 'open' &&
          hasRole(role, endpoint.role) &&
          (allFunnels || !endpoint.needsAllFunnels);
        expect(mayCall({ role, allFunnels }, route), `${role}, ${allFunnels}`).toBe(isServed);
      }
    }
  },
);
