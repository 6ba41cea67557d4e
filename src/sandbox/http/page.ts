import type { Exchange } from './exchange.ts';

export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Sends a small HTML page; `body` is HTML. */
export function sendPage(
  exchange: Exchange,
  { status = 200, title, body }: { status?: number; title: string; body: string },
): void {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${escaped(title)}</title><meta name="viewport" content="width=device-width">
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
  video { width: 100%; max-height: 70vh; background: #000 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
  .button { background: #1a56db; color: #fff; padding: .5rem 1.25rem; border-radius: .375rem; text-decoration: none; margin-right: 1rem }
  .note { color: #555 }
</style></head><body><h1>${escaped(title)}</h1>${body}</body></html>`;
  exchange.send(status, 'text/html; charset=utf-8', Buffer.from(html));
}
