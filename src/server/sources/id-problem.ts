import { RESERVED_IDS } from '#contracts/fields.ts';

const MAX_ID_LENGTH = 200;

/** Why the id of an interview cannot be stored; null if it can. */
export function idProblem(id: string): string | null {
  if (id.trim() === '') return 'The id is empty.';
  if (RESERVED_IDS.includes(id)) return `The id "${id}" is reserved: it is part of an address of the API.`;
  if (id.length > MAX_ID_LENGTH) return `The id is longer than ${MAX_ID_LENGTH} characters.`;
  return /\p{Cc}/u.test(id) || !id.isWellFormed() ? 'The id contains invalid characters.' : null;
}
