/** A person whom the provider can sign in. */
export interface SandboxPerson {
  /** The subject. It never changes, unlike the rest. */
  id: string;
  name: string;
  username: string;
  email: string;
  isEmailVerified: boolean;
  groups: string[];
  /** Shown on the page. */
  note: string;
}

/** Demo accounts are matched by their email address. */
export const initialPeople = (): SandboxPerson[] => [
  person('alex', 'Alex Kim', ['interviews-admins'], 'Administrator, from a group at the provider'),
  person('riley', 'Riley Chen', ['interviews-recruiters'], 'Recruiter with one funnel'),
  person('robin', 'Robin Diaz', ['interviews-recruiters'], 'Recruiter with another funnel'),
  person('casey', 'Casey Okafor', [], 'Reviewer'),
];

const person = (username: string, name: string, groups: string[], note: string): SandboxPerson => ({
  ...{ id: `person-${username}`, name, username, groups, note },
  email: `${username}@example.com`,
  isEmailVerified: true,
});

/** The value for `OIDC_ROLE_MAP`. */
export const SANDBOX_ROLE_MAP = 'interviews-admins=administrator,interviews-recruiters=recruiter';
