import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { ROLES, type Role } from '#contracts/rules/roles.ts';
import { isLoopback } from '#server/http/loopback.ts';
import { flag, url } from './values.ts';

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
  OIDC_CLIENT_ID: z.string().trim().optional().describe('ID of the client that is registered at the provider.'),
  OIDC_CLIENT_SECRET: z.string().trim().optional().describe('Secret of that client.'),
  OIDC_NAME: z
    .string()
    .trim()
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
  OIDC_ROLE_CLAIM: z
    .string()
    .trim()
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
  OIDC_BREAK_GLASS: z
    .string()
    .trim()
    .optional()
    .describe(
      'Username of the one account that may sign in with its password although OIDC_ONLY is true, at /login?password.',
    ),
} as const;

type Name = keyof typeof SIGN_ON_VARIABLES | 'ALLOW_PRIVATE_HOSTS';

/** Values as given, before they are read. Returns a sentence for every impossible combination. */
export function impossibleSignOn(set: { readonly [name in Name]?: string | undefined }): string[] {
  const client = (['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const).filter((name) => !set[name]);
  const without = (name: Name, needed: Name, advice: string) =>
    set[name] && !set[needed] ? [`${name} needs ${needed}. ${advice}`] : [];
  return [
    ...(set.OIDC_ISSUER && client.length > 0
      ? [`OIDC_ISSUER needs ${client.join(' and ')}. The provider shows them where the client is registered.`]
      : []),
    ...(isInsecure(set.OIDC_ISSUER, set.ALLOW_PRIVATE_HOSTS)
      ? [
          'OIDC_ISSUER must start with https://, except on a loopback address. Add the host to ALLOW_PRIVATE_HOSTS if the network is trusted.',
        ]
      : []),
    ...without('OIDC_ROLE_CLAIM', 'OIDC_ROLE_MAP', 'Set it to pairs of a group and a role.'),
    ...without('OIDC_ROLE_MAP', 'OIDC_ROLE_CLAIM', 'Set it to the name of the claim with the groups.'),
    ...(/^(true|1)$/.test(set.OIDC_ONLY ?? '')
      ? without('OIDC_ONLY', 'OIDC_ISSUER', 'Set OIDC_ISSUER, or unset OIDC_ONLY.')
      : []),
  ];
}

function isInsecure(issuer: string | undefined, privateHosts = ''): boolean {
  const url = URL.parse(issuer ?? '');
  if (url?.protocol !== 'http:') return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return !isLoopback(host) && !isListed(host, privateHosts);
}

/** `list` contains names, addresses and ranges. Invalid entries are reported elsewhere. */
function isListed(host: string, list: string): boolean {
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list.split(',').some((item) => {
    const [entry = '', prefix] = item.trim().toLowerCase().split('/');
    if (isIP(entry) === 0 || isIP(host) === 0 || prefix === undefined) return entry === host;
    const addresses = new BlockList();
    const bits = Number(prefix);
    if (!(bits >= 0 && bits <= (isIP(entry) === 6 ? 128 : 32))) return false;
    addresses.addSubnet(entry, bits, family(entry));
    return addresses.check(host, family(host));
  });
}

export interface SignOnSettings {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_ROLE_CLAIM?: string | undefined;
  readonly OIDC_ONLY?: boolean;
  readonly OIDC_BREAK_GLASS?: string | undefined;
}

/** Returns a sentence for every setting without effect, and for a way to lock everyone out. */
export function unfinishedSignOn(set: SignOnSettings): string[] {
  const names = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLE_CLAIM'] as const;
  const idle = set.OIDC_ISSUER ? [] : names.filter((name) => set[name]);
  return [
    ...idle.map((name) => `${name} has no effect: OIDC_ISSUER is missing. Set it to the issuer of the provider.`),
    ...(set.OIDC_BREAK_GLASS && !set.OIDC_ONLY ? ['OIDC_BREAK_GLASS has no effect: OIDC_ONLY is not true.'] : []),
    ...(set.OIDC_ONLY && !set.OIDC_BREAK_GLASS
      ? ['OIDC_BREAK_GLASS is missing: while the provider is unavailable, no account can sign in.']
      : []),
  ];
}
