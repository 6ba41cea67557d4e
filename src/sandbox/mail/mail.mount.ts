import type { Mount } from '#sandbox/http/mount.ts';
import type { Mailbox, SandboxMail } from './mailbox.ts';

/** A page that shows what arrived, newest first. */
export const mailMount = (mailbox: Mailbox): Mount => ({
  name: 'mailbox',
  prefix: '/mail',
  isOutsideWorld: false,
  handle(exchange) {
    exchange.send(200, 'text/html; charset=utf-8', Buffer.from(page(mailbox.list().toReversed())));
  },
});

const page = (mails: readonly SandboxMail[]) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mails of the sandbox</title><style>
body { font: 16px/1.5 sans-serif; max-width: 45rem; margin: 2rem auto; padding: 0 1rem }
article { border: 1px solid #ccc; border-radius: 8px; padding: 0 1rem; margin: 1rem 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
</style></head><body><h1>Mails</h1>
${mails.length === 0 ? '<p>No mail has arrived yet.</p>' : mails.map(article).join('\n')}
</body></html>`;

const article = ({ subject, from, to, text, receivedAt, deliveries }: SandboxMail) => `<article>
<h2>${escaped(subject)}</h2>
<p>From ${escaped(from)} to ${escaped(to.join(', '))}, ${receivedAt}${deliveries > 1 ? `, accepted ${deliveries} times` : ''}</p>
<pre>${linked(escaped(text))}</pre></article>`;

const linked = (html: string) => html.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
