import { expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import { hasRole, ROLES } from '#contracts/rules/roles.ts';
import { mayCall, RESTRICTED_ROUTES } from './may.ts';

test.each(RESTRICTED_ROUTES)('the browser offers %s to the users whom the server lets call it', (route) => {
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
});
