import { createContext, useContext } from 'react';
import type { Route } from '#contracts/api.ts';
import { hasRole } from '#contracts/rules/roles.ts';
import type { User } from '#contracts/session.ts';

/**
 * The calls that the browser offers to some users only: to recruiters and administrators, if they
 * are not listed below. A test compares them with the contracts.
 */
export type RestrictedRoute = Extract<
  Route,
  | 'GET /api/accounts'
  | 'GET /api/automations'
  | 'GET /api/interviews/sync'
  | 'GET /api/logs'
  | 'GET /api/setup'
  | 'GET /api/shares'
  | 'GET /api/webhooks'
  | 'POST /api/bulk'
  | 'POST /api/funnels'
  | 'PUT /api/funnels/:id'
  | 'DELETE /api/funnels/:id'
  | 'POST /api/funnels/:id/activate'
  | 'POST /api/interviews/:id/answers'
  | 'POST /api/interviews/:id/archive'
  | 'POST /api/interviews/:id/ats'
  | 'POST /api/interviews/:id/convert'
  | 'POST /api/interviews/:id/destination'
  | 'POST /api/interviews/:id/dismiss-failures'
  | 'POST /api/interviews/:id/summarize'
  | 'POST /api/interviews/:id/transcribe'
  | 'PUT /api/interviews/:id/transcript'
  | 'POST /api/interviews/:id/update-duration'
  | 'POST /api/shares'
  | 'POST /api/uploads'
>;

const FOR_ADMINISTRATORS: readonly RestrictedRoute[] = [
  'GET /api/accounts',
  'GET /api/webhooks',
  'DELETE /api/funnels/:id',
];
const FOR_ALL_FUNNELS: RestrictedRoute = 'POST /api/funnels';

/** True if the server allows the user to make this call. */
export const mayCall = ({ role, allFunnels }: Pick<User, 'role' | 'allFunnels'>, route: RestrictedRoute): boolean =>
  hasRole(role, FOR_ADMINISTRATORS.includes(route) ? 'administrator' : 'recruiter') &&
  (allFunnels || route !== FOR_ALL_FUNNELS);

/** Provided by `Protected`. */
export const UserContext = createContext<User | null>(null);

/**
 * Returns which calls the user may make. What needs another call is left out:
 * `const may = useMay()`, then `{may('POST /api/shares') && <ShareButton />}`.
 */
export function useMay(): (route: RestrictedRoute) => boolean {
  const user = useContext(UserContext);
  return (route) => user !== null && mayCall(user, route);
}
