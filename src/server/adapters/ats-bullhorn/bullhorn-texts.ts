import { createHash } from 'node:crypto';
import type { AtsNote } from '#server/ports/ats.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Bullhorn shows the comments of a note as HTML. */
export const noteHtml = ({ text, links }: Pick<AtsNote, 'text' | 'links'>): string =>
  [
    ...text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `<p>${escaped(line)}</p>`),
    ...links.map(({ label, url }) => `<p><a href="${escaped(url)}">${escaped(label)}</a></p>`),
  ].join('');

/** Bullhorn rejects notes with a longer `externalID`. */
const MAX_EXTERNAL_ID_LENGTH = 100;

/** The marker of a note, or a hash of a long one. */
export const externalIdOf = (marker: string): string =>
  marker.length <= MAX_EXTERNAL_ID_LENGTH ? marker : `vim:${createHash('sha256').update(marker).digest('hex')}`;

/** A phrase of Lucene's query syntax. */
export const phrase = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

const MAX_WORDS = 8;
const MAX_WORD_LENGTH = 50;

/** The query for open jobs in whose title or client each word, or a longer one, occurs. */
export function openJobsQuery(search: string): string {
  const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const tests = words
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD_LENGTH))
    .map((word) => `(title:(${word}*) OR clientCorporation.name:(${word}*))`);
  return ['isOpen:1', 'isDeleted:0', ...tests].join(' AND ');
}

/** The page of a record. Its host has the same number as the REST host. */
export function recordUrl(restUrl: string, entity: 'Candidate' | 'JobOrder', id: string): string | null {
  const [base = '', rest] = restUrl.split('/rest-services/');
  if (rest === undefined) return null;
  const host = base.replace(/^https:\/\/rest(\d+)\./, 'https://cls$1.');
  return `${host}/BullhornSTAFFING/OpenWindow.cfm?${new URLSearchParams({ Entity: entity, id })}`;
}
