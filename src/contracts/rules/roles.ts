/**
 * Ordered from the fewest rights to the most. Each role includes the rights of the ones before it.
 */
export const ROLES = ['reviewer', 'recruiter', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** The header label of an account. */
export const ROLE_LABELS: Record<Role, string> = {
  administrator: 'Admin',
  recruiter: 'Recruiter',
  reviewer: 'Reviewer',
};

/** The kinds of calls that an API token allows. No scope includes another. */
export const SCOPES = ['read', 'write', 'process', 'logs'] as const;
export type Scope = (typeof SCOPES)[number];
