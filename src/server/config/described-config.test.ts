import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeConfig } from './described-config.ts';
import { VARIABLES } from './variables.ts';

const NAMES = Object.keys(VARIABLES);
const SECRETS = NAMES.filter((name) => /(PASSWORD|SECRET|TOKEN|KEY)(_|$)/.test(name));
const SECRET = 'hunter2';
const around = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'@:/?#%&=1a ') }));
const secret = fc.tuple(around, around).map(([before, after]) => before + SECRET + after);
const shownOf = (environment: NodeJS.ProcessEnv) => describeConfig(environment).map(({ shown }) => shown);
/** A folder without generated secrets. */
const ELSEWHERE = { DATA_DIR: '/nowhere' };

test('secrets are replaced by their length', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SECRETS), secret, (name, value) => {
      const described = describeConfig({ ...ELSEWHERE, [name]: value });
      expect(described.map((one) => one.name)).toEqual(NAMES);
      expect(described.filter(({ shown }) => shown.includes(SECRET))).toEqual([]);
      const one = described.find((variable) => variable.name === name);
      expect(one).toMatchObject({ source: 'variable', shown: `•••••• (${value.trim().length} characters)` });
    }),
    { numRuns: 300 },
  );
});

test('the password in a URL is never shown, encoded or not', () => {
  const url = fc.tuple(secret, fc.boolean()).chain(([raw, isEncoded]) => {
    const password = isEncoded ? encodeURIComponent(raw) : raw;
    return fc.constantFrom(
      `postgres://app:${password}@db.example.com:5432/interviews`,
      `postgresql://app:${password}@/interviews?host=/run`,
      `postgres://app:${password}@[::1]/interviews?sslmode=require`,
      `postgres://db.example.com/interviews?user=app&password=${encodeURIComponent(raw)}`,
      `postgres://db.example.com/interviews?user=a@b&password=${encodeURIComponent(raw)}`,
      `postgres://app:${password}@db.example.com/interviews?user=a@b`,
      `https://app:${password}@example.com/v1`,
      `https://${password}@example.com/v1`,
      `https://${password}@example.com/v1?api-version=1`,
      `app:${password}@db.example.com/interviews`,
    );
  });
  fc.assert(
    fc.property(fc.constantFrom('DATABASE_URL', 'SUMMARY_URL', 'INTERVIEW_SERVICE_URL'), url, (name, value) => {
      expect(shownOf({ ...ELSEWHERE, [name]: value }).filter((shown) => shown.includes(SECRET))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['postgres://db.example/app?user=app@myserver&password=hunter2', 'postgres://••••••'],
  ['postgres://app:hunt?er2@db.example/app', 'postgres://••••••'],
  ['postgres://app:hunt/er2@db.example/app?sslmode=require', 'postgres://••••••@db.example/app?••••••'],
  ['postgres://app:hunter2@db.example/app?sslmode=require', 'postgres://••••••@db.example/app?sslmode=require'],
  ['https://sk-hunter2@host.example/v1', 'https://••••••@host.example/v1'],
])('%s is shown as %s', (value, shown) => {
  expect(shownOf({ ...ELSEWHERE, DATABASE_URL: value })).toContain(shown);
});

test('a URL without a secret is shown unchanged', () => {
  fc.assert(
    fc.property(fc.webUrl(), (value) => {
      fc.pre(!value.includes('@'));
      expect(shownOf({ ...ELSEWHERE, SUMMARY_URL: value })).toContain(value);
    }),
    { numRuns: 30 },
  );
});
