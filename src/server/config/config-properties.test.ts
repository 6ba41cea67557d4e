import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AllowedHosts } from '#server/adapters/outside-http/private-addresses.ts';
import { anyCharacter } from '#support/any-character.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { VARIABLES } from './variables.ts';

type Name = keyof typeof VARIABLES;
type Environment = Partial<Record<Name, string>>;
type Case = readonly [given: string, read: unknown];

const NAMES = Object.keys(VARIABLES) as Name[];
const SECRETS = NAMES.filter((name) => /(PASSWORD|SECRET|TOKEN|KEY)(_|$)/.test(name));
const filled = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
const asGiven = (texts: fc.Arbitrary<string>) => texts.map((text): Case => [text, text]);
const trimmed = fc
  .tuple(filled, fc.constantFrom('', ' ', '\t'))
  .map(([text, space]): Case => [`${space}${text}${space}`, text.trim()]);
const whole = (min: number, max: number) => fc.integer({ min, max }).map((number): Case => [String(number), number]);
const base = fc
  .tuple(fc.webUrl({ validSchemes: ['http', 'https'] }), fc.nat(3))
  .map(([url, slashes]): Case => [url + '/'.repeat(slashes), url.replace(/\/+$/, '')]);
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 64, maxLength: 64 });
const oneOf = (...texts: string[]) => asGiven(fc.constantFrom(...texts));
const range = fc.oneof(
  fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, prefix]) => `${address}/${prefix}`),
  fc.tuple(fc.ipV6(), fc.nat(128)).map(([address, prefix]) => `${address}/${prefix}`),
);
const host = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), range);
const hostList = fc
  .tuple(fc.array(host, { minLength: 1, maxLength: 4 }), fc.constantFrom(',', ', ', ' ,,'))
  .map(([items, between]): Case => [items.join(between), items]);
const count = whole(1, 16);

/** Valid values of each variable, as given and as read. */
const VALID: Record<Name, fc.Arbitrary<Case>> = {
  PORT: whole(0, 65_535),
  HOST: asGiven(filled),
  DATA_DIR: filled.map((folder) => [folder, resolve(folder)]),
  DATABASE_URL: asGiven(filled.map((rest) => `postgres://ann:${encodeURIComponent(rest)}@host/x`)),
  DATABASE_OWNER_URL: asGiven(filled.map((rest) => `postgres://owner:${encodeURIComponent(rest)}@host/x`)),
  DATABASE_POOL_SIZE: whole(1, 200),
  UPLOAD_FOLDER: trimmed,
  ADMIN_USERNAME: trimmed,
  ADMIN_PASSWORD: asGiven(filled),
  SESSION_SECRET: asGiven(filled.map((text) => text.padEnd(16, 's'))),
  SECOND_FACTOR: oneOf('optional', 'required'),
  ENCRYPTION_KEY: asGiven(hex),
  ENCRYPTION_KEY_PREVIOUS: asGiven(hex),
  BREACHED_PASSWORDS_URL: base,
  TRUST_PROXY: fc.constantFrom<Case>(['true', true], ['1', true], ['false', false], ['0', false]),
  PUBLIC_URL: fc
    .array(fc.domain(), { minLength: 1, maxLength: 3 })
    .map((names) => [
      names.map((name) => `https://${name}:8443/x`).join(', '),
      names.map((name) => new URL(`https://${name}:8443/x`)),
    ]),
  DATABASE_DIRECT_URL: asGiven(filled.map((rest) => `postgres://ann:${encodeURIComponent(rest)}@host/x`)),
  DATABASE_PREPARED: oneOf('on', 'off'),
  MIGRATE: oneOf('auto', 'off', 'only', 'wait'),
  SHUTDOWN_DELAY_S: oneOf('0.5', '5').map(([text]): Case => [text, Number(text)]),
  ROLES: fc.constantFrom<Case>(['web', ['web']], [' worker', ['worker']], ['worker, web,', ['web', 'worker']]),
  WORKER_QUEUES: fc.constantFrom<Case>(['summarize,convert', ['convert', 'summarize']], ['sync', ['sync']]),
  OIDC_ISSUER: fc.domain().map((name): Case => [` https://${name}/realm/ `, `https://${name}/realm/`]),
  OIDC_CLIENT_ID: trimmed,
  OIDC_CLIENT_SECRET: trimmed,
  OIDC_NAME: fc.constantFrom<Case>([' Acme ', 'Acme']),
  OIDC_SCOPES: fc.constantFrom<Case>(['openid', ['openid']], ['openid,email  groups', ['openid', 'email', 'groups']]),
  OIDC_CREATE: fc.constantFrom<Case>(['true', true], ['0', false]),
  OIDC_DEFAULT_ROLE: oneOf('administrator', 'recruiter', 'reviewer'),
  OIDC_ROLE_CLAIM: trimmed,
  OIDC_ROLE_MAP: fc.constantFrom<Case>(
    ['admins=administrator', new Map([['admins', 'administrator']])],
    [
      ' cn=a=recruiter,__proto__ = reviewer ,',
      new Map([
        ['cn=a', 'recruiter'],
        ['__proto__', 'reviewer'],
      ]),
    ],
  ),
  OIDC_ONLY: fc.constantFrom<Case>(['1', true], ['false', false]),
  OIDC_BREAK_GLASS: trimmed,
  INTERVIEW_SERVICE_URL: base,
  HIREFLIX_URL: base,
  VIDEOASK_URL: base,
  VIDEOASK_AUTH_URL: base,
  VIDEOASK_CLIENT_ID: trimmed,
  VIDEOASK_CLIENT_SECRET: trimmed,
  VIDEOASK_REFRESH_TOKEN: trimmed,
  LEVER_API_KEY: trimmed,
  LEVER_URL: base,
  LEVER_USER: trimmed,
  BULLHORN_USERNAME: trimmed,
  BULLHORN_CLIENT_ID: trimmed,
  BULLHORN_CLIENT_SECRET: trimmed,
  BULLHORN_LOGIN_URL: base,
  DOWNLOAD_CONCURRENCY: whole(1, 64),
  YOUTUBE_CLIENT_ID: trimmed,
  YOUTUBE_CLIENT_SECRET: trimmed,
  YOUTUBE_REFRESH_TOKEN: trimmed,
  YOUTUBE_API_URL: base,
  YOUTUBE_PRIVACY: oneOf('private', 'unlisted', 'public'),
  YOUTUBE_TITLE: asGiven(filled.filter((text) => !/[{}]/.test(text)).map((text) => `{candidateName} ${text}`)),
  YOUTUBE_DESCRIPTION: oneOf('{questions}', 'Recorded on {recordedDate}\\n{interviewTitle}'),
  CONVERT_CONCURRENCY: count,
  TRANSCRIPTION_URL: base,
  TRANSCRIPTION_API_KEY: trimmed,
  TRANSCRIPTION_MODEL: trimmed,
  TRANSCRIBE_CONCURRENCY: count,
  SUMMARY_URL: base,
  SUMMARY_API_KEY: trimmed,
  SUMMARY_MODEL: trimmed,
  SUMMARIZE_CONCURRENCY: count,
  SMTP_URL: asGiven(filled.map((password) => `smtps://ann:${encodeURIComponent(password)}@mail.example:465`)),
  MAIL_FROM: oneOf('ann@example.com', 'Example Staffing <ann@example.com>'),
  OUTGOING_PROXY: asGiven(filled.map((password) => `http://ann:${encodeURIComponent(password)}@proxy.example:3128`)),
  OUTGOING_PROXY_EXCEPT: hostList,
  ALLOW_PRIVATE_HOSTS: hostList,
  ALLOW_FILE_HOSTS: fc
    .array(fc.constantFrom('files.example.com', '*.example.com', '192.0.2.1:8443', '[2001:db8::1]:8443', '[::1]'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((items) => [items.join(', '), items]),
  MAX_VIDEO_BYTES: whole(1, Number.MAX_SAFE_INTEGER),
  MAX_UPLOAD_BYTES: whole(1, Number.MAX_SAFE_INTEGER),
  MAX_UPLOAD_BYTES_PER_ACCOUNT: whole(1, Number.MAX_SAFE_INTEGER),
  FFMPEG_PATH: asGiven(fc.constant(process.execPath)),
  CLAMD_ADDRESS: fc.oneof(
    fc
      .tuple(fc.oneof(fc.domain(), fc.ipV4()), fc.integer({ min: 1, max: 65_535 }))
      .map(([name, port]): Case => [` ${name}:${port}`, { host: name, port }]),
    fc
      .tuple(fc.ipV6(), fc.integer({ min: 1, max: 65_535 }))
      .map(([name, port]): Case => [`[${name}]:${port}`, { host: name, port }]),
    fc.constant<Case>(['/run/clamav/clamd.ctl ', { path: '/run/clamav/clamd.ctl' }]),
  ),
  DESTINATION_URL: asGiven(fc.webUrl({ validSchemes: ['http', 'https'] }).map((url) => `${url}/{jobId}`)),
  LOG_RETENTION_DAYS: whole(1, 36_500),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  METRICS_TOKEN: asGiven(filled.map((text) => text.padEnd(16, 's'))),
  MAX_SOCKETS: whole(1, 100_000),
  MAX_SOCKETS_PER_SESSION: whole(1, 100_000),
  READ_QUOTA: whole(1, 1_000_000_000),
  API_QUOTA: whole(1, 1_000_000),
  SECURITY_CONTACT: fc.oneof(
    fc
      .emailAddress()
      // `mailto://` begins another kind of URI.
      .filter((address) => !address.startsWith('//'))
      .map((address): Case => [` ${address}`, `mailto:${address}`]),
    fc.webUrl({ validSchemes: ['https'] }).map((url): Case => [url, url]),
  ),
  FILE_STORE: oneOf('local', 's3'),
  S3_ENDPOINT: base,
  S3_REGION: trimmed,
  S3_BUCKET: oneOf('interviews', 'a.b-c-1'),
  S3_PREFIX: fc.constantFrom<Case>(['interviews', 'interviews/'], ['a/b.c/', 'a/b.c/']),
  S3_FORCE_PATH_STYLE: fc.constantFrom<Case>(['true', true], ['false', false]),
  S3_ACCESS_KEY_ID: trimmed,
  S3_SECRET_ACCESS_KEY: trimmed,
  S3_DELIVERY: oneOf('proxy', 'redirect'),
  X_ACCEL_PREFIX: oneOf('/protected/', '/a/b-c/'),
};

/** Values that no message contains by chance, and other unusual texts. */
const odd = fc.oneof(
  fc.string().map((text) => `hunter2${text}`),
  fc.constantFrom(
    '-1',
    '0',
    '1.5',
    '1e999',
    'NaN',
    '0x10',
    '65536',
    ' ',
    '',
    '\0',
    'http://',
    '//x',
    '1.2.3',
    '::/200',
    'true,',
  ),
  fc.string({ unit: fc.constantFrom(...'0123456789.:/,-%e x') }),
  fc.string({ unit: anyCharacter }),
);

/** Omits variables that need another one that is not set. */
function possible<Value>(given: Partial<Record<Name, Value>>, isSet: (value: Value) => boolean) {
  const has = (name: Name) => given[name] !== undefined && isSet(given[name]);
  const rest = { ...given };
  if (!has('DATABASE_URL')) delete rest.DATABASE_OWNER_URL;
  if (!has('DATABASE_URL')) delete rest.DATABASE_DIRECT_URL;
  if (!has('DATABASE_URL')) delete rest.MIGRATE;
  if (!has('DATABASE_URL')) delete rest.ROLES;
  if (!has('DATABASE_URL')) delete rest.WORKER_QUEUES;
  if (!has('ENCRYPTION_KEY')) delete rest.ENCRYPTION_KEY_PREVIOUS;
  if (!has('YOUTUBE_CLIENT_ID') || !has('YOUTUBE_CLIENT_SECRET')) delete rest.YOUTUBE_REFRESH_TOKEN;
  if (!has('MAIL_FROM')) delete rest.SMTP_URL;
  if (!has('S3_BUCKET')) delete rest.FILE_STORE;
  if (has('FILE_STORE')) delete rest.X_ACCEL_PREFIX;
  if (!has('S3_ACCESS_KEY_ID')) delete rest.S3_SECRET_ACCESS_KEY;
  if (!has('S3_SECRET_ACCESS_KEY')) delete rest.S3_ACCESS_KEY_ID;
  return possibleConnections(rest, has);
}

function possibleConnections<Value>(given: Partial<Record<Name, Value>>, has: (name: Name) => boolean) {
  const rest = { ...given };
  const hasIssuer = has('OIDC_ISSUER') && has('OIDC_CLIENT_ID') && has('OIDC_CLIENT_SECRET');
  if (!hasIssuer) delete rest.OIDC_ISSUER;
  if (!hasIssuer) delete rest.OIDC_ONLY;
  if (!has('BULLHORN_CLIENT_ID') || !has('BULLHORN_CLIENT_SECRET')) delete rest.BULLHORN_USERNAME;
  if (has('BULLHORN_USERNAME')) delete rest.LEVER_API_KEY;
  if (has('OIDC_ROLE_CLAIM') && has('OIDC_ROLE_MAP')) return rest;
  delete rest.OIDC_ROLE_CLAIM;
  delete rest.OIDC_ROLE_MAP;
  return rest;
}

const cases = fc.record(VALID, { requiredKeys: [] }).map((given) => possible(given, () => true));
const isFilled = (text: string) => text.trim() !== '';
const readOf = (given: Partial<Record<Name, Case>>, at: 0 | 1) =>
  Object.fromEntries(Object.entries(given).map(([name, one]) => [name, one[at]]));

/** The names in the message of the error. Null when the configuration is accepted. */
function refused(given: Environment): { names: string[]; message: string } | null {
  try {
    readConfig(given);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    const [first, ...problems] = message.split('\n');
    expect(first).toBe('Configuration:');
    for (const problem of problems) expect(problem).toMatch(/^ {2}[A-Z0-9_]+ (must|needs) .+\.$/);
    return { names: problems.map((problem) => problem.trim().split(' ')[0] ?? ''), message };
  }
}

test('every valid value is read as given, and unset variables have their default', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const config = readConfig({ ...readOf(given, 0), UNKNOWN: 'x' });
      expect(config).toEqual({ ...readConfig({}), ...readOf(given, 1) });
    }),
    { numRuns: 300 },
  );
});

test('exactly the invalid variables are named, and no value is repeated', () => {
  const given = fc.tuple(cases, fc.dictionary(fc.constantFrom(...NAMES), odd, { noNullPrototype: true }));
  fc.assert(
    fc.property(given, ([right, wrong]) => {
      const environment: Environment = possible({ ...readOf(right, 0), ...wrong }, isFilled);
      const error = refused(environment);
      if (!error) return;
      expect(error.names.filter((name) => !Object.hasOwn(wrong, name))).toEqual([]);
      expect(error.message).not.toContain('hunter2');
      const secrets = SECRETS.map((name) => environment[name] ?? '').filter(({ length }) => length > 7);
      expect(secrets.filter((secret) => error.message.includes(secret))).toEqual([]);
      const rest = Object.entries(environment).filter(([name]) => !error.names.includes(name));
      expect(refused(possible(Object.fromEntries(rest), isFilled))).toBeNull();
      for (const name of error.names) expect(refused({ [name]: environment[name as Name] })?.names).toContain(name);
    }),
    { numRuns: 500 },
  );
});

test('paths can be appended to every accepted URL, and every accepted list of hosts can be used', () => {
  const variables = [
    'INTERVIEW_SERVICE_URL',
    'HIREFLIX_URL',
    'YOUTUBE_API_URL',
    'TRANSCRIPTION_URL',
    'SUMMARY_URL',
  ] as const;
  const url = fc
    .tuple(fc.constantFrom('', ' ', '\n'), fc.constantFrom('http://', 'https:/', 'HTTP://x', 'https://x.y/v1'), odd)
    .map((parts) => parts.join('').replace(/[?#\p{Cc}]/gu, '/'));
  const hosts = fc.array(fc.oneof(host, odd), { maxLength: 3 }).map((items) => items.join(','));
  const accepted = (given: Environment): Partial<Config> => (refused(given) ? {} : readConfig(given));
  fc.assert(
    fc.property(fc.constantFrom(...variables), url, hosts, (name, text, list) => {
      const base = accepted({ [name]: text })[name];
      const below = URL.parse(`${base}/jobs`);
      if (base) {
        expect(base.endsWith('/')).toBe(false);
        expect([below?.host, below?.pathname.endsWith('/jobs')]).toEqual([URL.parse(text)?.host, true]);
      }
      const { ALLOW_PRIVATE_HOSTS: allowed = [] } = accepted({ ALLOW_PRIVATE_HOSTS: list });
      expect(() => new AllowedHosts(allowed)).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});

test.each(['', '*', 'a/8', 'https://a.example', '*.*.example', 'a.example:', 'a.example:x', '::1', 'a b'])(
  'the file host %j is rejected',
  (item) => {
    expect(refused({ ALLOW_FILE_HOSTS: item === '' ? ',' : item })).not.toBeNull();
  },
);

test('a host is a name, an IP address, or a range with a valid prefix length', () => {
  const isAccepted = (item: string) => refused({ ALLOW_PRIVATE_HOSTS: item }) === null;
  const length = fc.nat(140);
  const name = fc.string({ unit: fc.constantFrom(...'aZ09.-_ /*\\'), minLength: 1 }).map((text) => `a${text}b`);
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), length, name, (four, six, prefix, text) => {
      expect([isAccepted(`${four}/${prefix}`), isAccepted(`${six}/${prefix}`)]).toEqual([prefix <= 32, prefix <= 128]);
      for (const wrong of [`${four}/`, `${four}/8/8`, `${four}/-1`, `${four}.1`, `${six}/8.`])
        expect(isAccepted(wrong)).toBe(false);
      expect([text, isAccepted(text)]).toEqual([text, /^[a-z\d.-]+$/i.test(text)]);
    }),
  );
});
