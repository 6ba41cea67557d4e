import { afterEach, beforeEach, expect } from 'vitest';

const LEVELS = ['debug', 'info', 'log', 'warn', 'error'] as const;

/**
 * A test that prints fails: warnings of React and forgotten `console.log` are mistakes that nobody reads in a long log.
 * A test that expects output says so with `vi.spyOn(console, …)`.
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
