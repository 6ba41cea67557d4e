import { describe, expect, test } from 'vitest';
import { FunnelForm } from './funnels.ts';

const FILLED = { name: 'Nurses', apiKey: 'key', funnelId: 'nurses' };
const accepts = (part: object) => FunnelForm.safeParse({ ...FILLED, ...part }).success;
const filled = (field: string, length: number) =>
  field === 'directLink' ? `https://${'x'.repeat(length - 8)}` : 'x'.repeat(length);

/** Section 5 of the specification. */
describe('a field of the funnel form', () => {
  test.for([
    ['name', 100],
    ['clientName', 50],
    ['apiKey', 100],
    ['funnelId', 100],
    ['directLink', 200],
    ['description', 2_000],
    ['skills', 200],
    ['professionalExpectations', 500],
    ['skillExpectations', 500],
    ['educationExpectations', 500],
    ['cultureExpectations', 500],
  ] as const)('%s takes at most %d characters', ([field, max]) => {
    expect(accepts({ [field]: filled(field, max) })).toBe(true);
    expect(accepts({ [field]: filled(field, max + 1) })).toBe(false);
  });

  test.for(['name', 'apiKey', 'funnelId'])('%s is required', (field) => {
    for (const empty of [undefined, null, '', '  ']) expect(accepts({ [field]: empty })).toBe(false);
  });

  test.for([
    'clientName',
    'directLink',
    'description',
    'skills',
    'professionalExpectations',
    'skillExpectations',
    'educationExpectations',
    'cultureExpectations',
  ])('%s may be left out', (field) => {
    for (const empty of [undefined, null, '', '  ']) expect(accepts({ [field]: empty })).toBe(true);
  });
});
