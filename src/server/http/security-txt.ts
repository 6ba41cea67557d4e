import type { App } from './app.ts';

const DAY_MS = 86_400_000;
/** Less than a year, as RFC 9116 (section 2.5.5) recommends. */
const VALID_DAYS = 180;

/** Serves the contact for reports of vulnerabilities (RFC 9116). */
export function serveSecurityTxt(app: App, contact: string | undefined): void {
  if (!contact) return;
  app.get(
    '/.well-known/security.txt',
    { config: { role: 'open', scope: null }, schema: { hide: true } },
    (_request, reply) => {
      const expires = new Date(Date.now() + VALID_DAYS * DAY_MS).toISOString();
      reply.type('text/plain; charset=utf-8');
      return reply.send(`Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`);
    },
  );
}
