import { SOURCE_VARIABLES } from '#server/sources/sources.ts';
import { mayBeInFile } from './secret-files.ts';
import { VARIABLES } from './variables.ts';

/** First words of our variable names that other programs hardly use. */
const OWN_PREFIX =
  /^(BULLHORN|LEVER|BREACHED_PASSWORDS|CLAMD|CONVERT|DATABASE|ENCRYPTION|OUTGOING_PROXY|S3|SUMMAR(Y|IZE)|TRANSCRI(BE|PTION)|YOUTUBE)_/;
/** For example `INTERVIEW_SERVICE_` of INTERVIEW_SERVICE_URL. */
const SOURCE_PREFIXES = Object.keys(SOURCE_VARIABLES).map((name) => name.slice(0, name.lastIndexOf('_') + 1));
/** Kubernetes adds these for each service of a namespace, whatever its name is. */
const OF_KUBERNETES = /_SERVICE_HOST$|_SERVICE_PORT(_|$)|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/;
/** Shorter names are too close to unrelated ones. */
const MIN_LENGTH = 6;
const MAX_DISTANCE = 2;

const KNOWN = Object.keys(VARIABLES).flatMap((name) => (mayBeInFile(name) ? [name, `${name}_FILE`] : [name]));

/** Returns a sentence for every variable that is not ours but was probably meant to be. */
export function misspelledVariables(environment: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = KNOWN.includes(name) || OF_KUBERNETES.test(name) ? null : nearestName(name);
    return meant ? [`${name} is not a variable of this product and has no effect. Did you mean ${meant}?`] : [];
  });
}

/** The known name that was probably meant, or null if `name` belongs to another program. */
function nearestName(given: string): string | null {
  const name = given.toUpperCase();
  // Windows does not distinguish the case.
  if (name.length < MIN_LENGTH || (name !== given && process.platform === 'win32')) return null;
  const near = KNOWN.filter((known) => known.length >= MIN_LENGTH && distanceOf(name, known) <= MAX_DISTANCE);
  const isOwn = OWN_PREFIX.test(name) || SOURCE_PREFIXES.some((prefix) => name.startsWith(prefix));
  const related = isOwn ? KNOWN : KNOWN.filter((known) => name.includes('_') && isCutOf(name, known));
  const candidates = near.length > 0 ? near : related;
  const byNearness = (one: string, other: string) =>
    commonLength(name, other) - commonLength(name, one) || distanceOf(name, one) - distanceOf(name, other);
  return candidates.toSorted(byNearness)[0] ?? null;
}

const commonLength = (one: string, other: string): number => {
  const different = [...one].findIndex((character, index) => character !== other[index]);
  return different < 0 ? one.length : different;
};

/** Whether one name is the start of the other: LOG_RETENTION of LOG_RETENTION_DAYS. */
const isCutOf = (one: string, other: string): boolean => other.startsWith(`${one}_`) || one.startsWith(`${other}_`);

/** The insertions, deletions and replacements of characters between two texts (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (character === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
