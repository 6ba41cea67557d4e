import { z } from 'zod';
import { ROLES, type Role } from '#contracts/rules/roles.ts';
import { flag, trimmed, url } from './values.ts';

const scopes = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine((items) => items.includes('openid'), {
    error: 'must contain openid, such as openid email profile, separated by spaces',
  });

const ROLE_MAP_RULE = `must be pairs of a group and a role (${ROLES.join(', ')}), such as agency-admins=administrator,agency=recruiter`;

/** Pairs of a group and a role. The last equals sign separates them: groups may contain others. */
const roleMap = z.string().transform((text, context): ReadonlyMap<string, Role> => {
  const pairs = text.split(',').flatMap((item) => {
    const [, group, role] = /^(.+)=\s*(\w+)$/.exec(item.trim()) ?? [];
    return item.trim() === '' ? [] : [[group?.trim() ?? '', role as Role] as const];
  });
  if (pairs.length > 0 && pairs.every(([group, role]) => group !== '' && ROLES.includes(role))) return new Map(pairs);
  context.addIssue({ code: 'custom', message: ROLE_MAP_RULE });
  return z.NEVER;
});

export const SIGN_ON_VARIABLES = {
  OIDC_ISSUER: url
    .optional()
    .describe(
      'Issuer of the OpenID Connect provider for single sign-on, such as https://id.example.com, exactly as its discovery document contains it. https, except on a loopback address or a host of ALLOW_PRIVATE_HOSTS. If unset, people sign in with passwords only.',
    ),
  OIDC_CLIENT_ID: trimmed.optional().describe('ID of the client that is registered at the provider.'),
  OIDC_CLIENT_SECRET: trimmed.optional().describe('Secret of that client.'),
  OIDC_NAME: trimmed
    .max(60, 'may have at most 60 characters')
    .default('single sign-on')
    .describe('Name of the provider: the button reads "Sign in with" and this name.'),
  OIDC_SCOPES: scopes
    .default(['openid', 'email', 'profile'])
    .describe('Scopes that are requested from the provider, separated by spaces.'),
  OIDC_CREATE: flag
    .default(false)
    .describe(
      'Whether a person without an account gets one at the first sign-in. If false, an administrator adds accounts with the email addresses of the people first.',
    ),
  OIDC_DEFAULT_ROLE: z
    .enum(ROLES, { error: `must be one of ${ROLES.join(', ')}` })
    .default('reviewer')
    .describe('Role of new accounts, and with OIDC_ROLE_CLAIM of people without a listed group.'),
  OIDC_ROLE_CLAIM: trimmed
    .optional()
    .describe(
      "Claim with the groups of a person, such as groups or realm_access.roles. It decides the account's role at every sign-in. If unset, a sign-in never changes the role of an existing account.",
    ),
  OIDC_ROLE_MAP: roleMap
    .optional()
    .describe(
      'Roles of groups: agency-admins=administrator,agency=recruiter. Of several listed groups, the highest role applies.',
    ),
  OIDC_ONLY: flag
    .default(false)
    .describe('Set to true to reject sign-ins with a password, except for the account in OIDC_BREAK_GLASS.'),
  OIDC_BREAK_GLASS: trimmed
    .optional()
    .describe(
      'Username of the one account that may sign in with its password although OIDC_ONLY is true, at /login?password.',
    ),
} as const;
