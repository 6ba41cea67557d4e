import type { Mount } from '#sandbox/http/mount.ts';
import { escaped, sendPage } from '#sandbox/http/page.ts';
import type { Mailbox, SandboxMail } from './mailbox.ts';

/** A page that shows what arrived, newest first. */
export const mailMount = (mailbox: Mailbox): Mount => ({
  name: 'mailbox',
  prefix: '/mail',
  isInternal: true,
  handle(exchange) {
    const articles = mailbox.list().toReversed().map(article);
    sendPage(exchange, { title: 'Mails', body: articles.join('<hr>') || '<p>No mail has arrived yet.</p>' });
  },
});

const article = ({ subject, from, to, text, receivedAt, deliveries }: SandboxMail) => `<article>
<h2>${escaped(subject)}</h2>
<p>From ${escaped(from)} to ${escaped(to.join(', '))}, ${receivedAt}${deliveries > 1 ? `, accepted ${deliveries} times` : ''}</p>
<pre>${linked(escaped(text))}</pre></article>`;

const linked = (html: string) => html.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
