import type { EntryTexts } from './redact-entry.ts';

const PERSONAL = ['candidateName', 'candidateEmail', 'candidatePhone'];

/** What the candidate was called before: refreshes note the values that they change, and other entries may have them, too. */
export function formerValues({ details }: EntryTexts, ids: readonly string[]): string[] {
  const changes = field(details, 'detailedChanges');
  return ids.flatMap((id) => {
    const fields = field(field(changes, id), 'fields');
    return PERSONAL.flatMap((name) =>
      ['oldValue', 'newValue']
        .map((which) => field(field(fields, name), which))
        .filter((text) => typeof text === 'string'),
    );
  });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
