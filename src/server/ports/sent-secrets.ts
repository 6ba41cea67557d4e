/** More are forgotten, the oldest first. A secret that is sent again is remembered again. */
const MAX_SECRETS = 2_000;
/** Shorter values occur in other texts, and no service issues such keys. */
const MIN_LENGTH = 6;
const MASK = '…';

/** The secrets that this process has sent to outside services, in all forms. */
const secrets = new Set<string>();
let longestFirst: readonly string[] = [];

/**
 * Remembers the value of a header or a field that authenticates this server, so that `maskSecrets`
 * removes it. Adapters call this before they send it.
 */
export function rememberSecret(value: string): void {
  if (value.length < MIN_LENGTH || secrets.has(value)) return;
  for (const form of formsOf(value)) secrets.add(form);
  for (const oldest of secrets) {
    if (secrets.size <= MAX_SECRETS) break;
    secrets.delete(oldest);
  }
  longestFirst = [...secrets].toSorted((a, b) => b.length - a.length);
}

/** Replaces each remembered secret. Cut a text afterwards, or a part of a secret stays. */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const secret of longestFirst) if (masked.includes(secret)) masked = masked.replaceAll(secret, MASK);
  return masked;
}

/** With and without its scheme, such as `Bearer`, as base64, and as part of JSON and URLs. */
function formsOf(value: string): string[] {
  const bare = value.replace(/^[A-Za-z]+ /, '');
  return [value, bare]
    .filter(({ length }) => length >= MIN_LENGTH)
    .flatMap((plain) => [
      plain,
      Buffer.from(plain).toString('base64'),
      Buffer.from(plain).toString('base64').replaceAll('=', ''),
      Buffer.from(plain).toString('base64url'),
      JSON.stringify(plain).slice(1, -1),
      encodeURIComponent(plain),
    ]);
}
