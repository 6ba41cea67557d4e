import { BlockList, isIP } from 'node:net';
import { isLoopback } from '#server/http/loopback.ts';
import { PROCESS_ROLES, type VARIABLES, WORKER_QUEUES } from './variables.ts';

type Name = keyof typeof VARIABLES;
/** Values as given, before they are read. */
type Given = { readonly [name in Name]?: string | undefined };

/** Returns a sentence for every variable that makes no sense without another one. */
export function impossibleSettings(set: Given): string[] {
  const problems: string[] = [];
  if (set.ENCRYPTION_KEY_PREVIOUS && !set.ENCRYPTION_KEY)
    problems.push(
      'ENCRYPTION_KEY_PREVIOUS needs ENCRYPTION_KEY. Set ENCRYPTION_KEY to the new key, or unset ENCRYPTION_KEY_PREVIOUS: a generated key is rotated without it.',
    );
  if (set.DATABASE_OWNER_URL && !set.DATABASE_URL)
    problems.push(
      'DATABASE_OWNER_URL needs DATABASE_URL. Set DATABASE_URL to the same database with another account, or unset DATABASE_OWNER_URL.',
    );
  if (set.DATABASE_DIRECT_URL && !set.DATABASE_URL)
    problems.push(
      'DATABASE_DIRECT_URL needs DATABASE_URL. Set DATABASE_URL to the address of the pooler, or unset DATABASE_DIRECT_URL.',
    );
  if (set.MIGRATE === 'wait' && !set.DATABASE_URL)
    problems.push(
      'MIGRATE needs DATABASE_URL if it is wait, because another process upgrades the database. Set DATABASE_URL, or unset MIGRATE.',
    );
  if (set.SMTP_URL && !set.MAIL_FROM)
    problems.push('SMTP_URL needs MAIL_FROM. Set MAIL_FROM to the address that mails come from, or unset SMTP_URL.');
  problems.push(...impossibleRoles(set), ...impossibleStores(set));
  const client = missing(set, ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET']);
  if (set.YOUTUBE_REFRESH_TOKEN && client.length > 0)
    problems.push(
      `YOUTUBE_REFRESH_TOKEN needs ${client.join(' and ')}. Set ${client.length > 1 ? 'them' : 'it'}, or unset YOUTUBE_REFRESH_TOKEN.`,
    );
  return [...problems, ...impossibleSignOn(set), ...impossibleAts(set)];
}

/** The embedded database serves one process, which therefore has all roles. */
function impossibleRoles(set: Given): string[] {
  if (set.DATABASE_URL) return [];
  return [
    ...(isPart(set.ROLES, PROCESS_ROLES.length)
      ? ['ROLES needs DATABASE_URL, because other processes do the rest. Set DATABASE_URL, or unset ROLES.']
      : []),
    ...(isPart(set.WORKER_QUEUES, WORKER_QUEUES.length)
      ? [
          'WORKER_QUEUES needs DATABASE_URL, because other processes run the other jobs. Set DATABASE_URL, or unset WORKER_QUEUES.',
        ]
      : []),
  ];
}

const isPart = (list: string | undefined, all: number): boolean =>
  list !== undefined && new Set(list.split(',').flatMap((item) => item.trim() || [])).size < all;

function impossibleStores(set: Given): string[] {
  const problems: string[] = [];
  if (set.FILE_STORE === 's3' && !set.S3_BUCKET)
    problems.push('FILE_STORE needs S3_BUCKET if it is s3. Set it to the name of an existing bucket.');
  if (set.FILE_STORE === 's3' && set.X_ACCEL_PREFIX)
    problems.push('X_ACCEL_PREFIX needs FILE_STORE=local, because nginx sends files of a folder. Unset it.');
  const keys = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const [missingKey, ...more] = missing(set, keys);
  if (missingKey && more.length === 0)
    problems.push(`${keys.find((key) => key !== missingKey)} needs ${missingKey}. Set both or neither.`);
  return problems;
}

function impossibleSignOn(set: Given): string[] {
  const client = missing(set, ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']);
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

function impossibleAts(set: Given): string[] {
  if (set.LEVER_API_KEY && set.BULLHORN_USERNAME)
    return ['LEVER_API_KEY must be unset if BULLHORN_USERNAME is set: one installation works with one ATS. Unset one.'];
  const client = missing(set, ['BULLHORN_CLIENT_ID', 'BULLHORN_CLIENT_SECRET']);
  if (!set.BULLHORN_USERNAME || client.length === 0) return [];
  const them = client.length > 1 ? 'them' : 'it';
  return [`BULLHORN_USERNAME needs ${client.join(' and ')}. Set ${them}, or unset BULLHORN_USERNAME.`];
}

const missing = (set: Given, names: readonly Name[]): Name[] => names.filter((name) => !set[name]);
