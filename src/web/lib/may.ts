import { createContext, useContext } from 'react';
import type { Route } from '#contracts/api.ts';
import { hasRole, type Role } from '#contracts/rules/roles.ts';
import type { User } from '#contracts/session.ts';

/**
 * The calls that the browser offers to some users only, with the least role. A test compares them
 * with the contracts, which are too large for the first load.
 */
const LEAST_ROLES = {
  'GET /api/accounts': 'administrator',
  'GET /api/automations': 'recruiter',
  'GET /api/interviews/sync': 'recruiter',
  'GET /api/logs': 'recruiter',
  'GET /api/setup': 'recruiter',
  'POST /api/bulk': 'recruiter',
  'POST /api/funnels': 'recruiter',
  'PUT /api/funnels/:id': 'recruiter',
  'DELETE /api/funnels/:id': 'administrator',
  'POST /api/funnels/:id/activate': 'recruiter',
  'POST /api/interviews/:id/answers': 'recruiter',
  'POST /api/interviews/:id/archive': 'recruiter',
  'POST /api/interviews/:id/convert': 'recruiter',
  'POST /api/interviews/:id/destination': 'recruiter',
  'POST /api/interviews/:id/dismiss-failures': 'recruiter',
  'POST /api/interviews/:id/summarize': 'recruiter',
  'POST /api/interviews/:id/transcribe': 'recruiter',
  'PUT /api/interviews/:id/transcript': 'recruiter',
  'POST /api/interviews/:id/update-duration': 'recruiter',
  'POST /api/uploads': 'recruiter',
} as const satisfies { [R in Route]?: Role };

export type RestrictedRoute = keyof typeof LEAST_ROLES;
export const RESTRICTED_ROUTES = Object.keys(LEAST_ROLES) as RestrictedRoute[];

/** Only users who see all funnels may make these calls. */
const NEED_ALL_FUNNELS: readonly RestrictedRoute[] = ['POST /api/funnels'];

/** True if the server lets the user make this call for what the user can see. */
export const mayCall = (user: Pick<User, 'role' | 'allFunnels'>, route: RestrictedRoute): boolean =>
  hasRole(user.role, LEAST_ROLES[route]) && (user.allFunnels || !NEED_ALL_FUNNELS.includes(route));

/** Provided by `Protected`. */
export const UserContext = createContext<User | null>(null);

/**
 * Returns which calls the user may make. What needs another call is left out:
 * `const may = useMay()`, then `{may('POST /api/bulk') && <SelectBox />}`.
 */
export function useMay(): (route: RestrictedRoute) => boolean {
  const user = useContext(UserContext);
  return (route) => user !== null && mayCall(user, route);
}
