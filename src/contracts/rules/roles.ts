/** What an account may do, the least first. Each role may do everything that the ones before it may. */
export const ROLES = ['reviewer', 'recruiter', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** The header label of an account. */
export const ROLE_LABELS: Record<Role, string> = {
  administrator: 'Admin',
  recruiter: 'Recruiter',
  reviewer: 'Reviewer',
};

/** What an API token may be used for. No scope includes another. */
export const SCOPES = ['read', 'write', 'process', 'logs'] as const;
export type Scope = (typeof SCOPES)[number];
