import { afterEach, beforeEach, expect } from 'vitest';

const LEVELS = ['debug', 'info', 'log', 'warn', 'error'] as const;

/**
 * Fails a test that prints, since warnings of React and forgotten `console.log` calls are
 * overlooked in a long log. A test that expects output uses `vi.spyOn(console, …)`.
 */
const printed: string[] = [];
const original = { ...console };

beforeEach(() => {
  printed.length = 0;
  for (const level of LEVELS) {
    console[level] = (...parts: unknown[]) => {
      printed.push(`console.${level}: ${parts.map(String).join(' ')}`);
      original[level](...parts);
    };
  }
});

afterEach(() => {
  Object.assign(console, original);
  expect(printed, 'a test prints nothing').toEqual([]);
});
