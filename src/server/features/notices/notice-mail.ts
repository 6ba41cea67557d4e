import type { NoticeKind } from '#contracts/notices.ts';
import type { MailInput } from '#server/features/mail/mail.service.ts';
import type { NoticeContent } from './notices.repo.ts';

/** The content of a mail about a notice. It never names a candidate. */
export type NoticeText = Omit<NoticeContent, 'shareId'>;

const TEXTS: Record<NoticeKind, (actor: string) => string> = {
  opened: (actor) => `${actor} opened your link`,
  verdict: (actor) => `${actor} decided on a candidate`,
  mention: (actor) => `${actor} mentioned you in a comment`,
  expiring: (actor) => `Your link for ${actor} expires soon and was not opened`,
  webhook: (actor) => `The webhook to ${actor} was paused`,
};

const FOOTER = 'To get fewer mails, choose "Notices" in your account menu.';
const WEBHOOK_FOOTER = 'All administrators get this mail: no event is delivered until the webhook is turned on again.';

const textOf = ({ kind, actor }: NoticeText): string => TEXTS[kind](actor ?? 'Someone');

/** `origin` is the URL of the product, if it is known. */
export function noticeMail(to: string, notice: NoticeText, origin: string | null): MailInput {
  const { kind, interviewId } = notice;
  const pages = {
    mention: [`/?interview=${encodeURIComponent(interviewId ?? '')}`, 'Open the interview'],
    webhook: ['/webhooks', 'Open the webhooks'],
  } as const;
  const [path, label] = kind === 'mention' || kind === 'webhook' ? pages[kind] : ['/links', 'Open your links'];
  return {
    to,
    subject: textOf(notice),
    paragraphs: [`${textOf(notice)}.`],
    link: linkTo(origin, path, label),
    footer: kind === 'webhook' ? WEBHOOK_FOOTER : FOOTER,
  };
}

/** A daily mail lists this many notices, and counts the rest. */
const MAX_LINES = 30;

export function dailyMail(to: string, notices: readonly NoticeText[], origin: string | null): MailInput {
  const lines = notices.slice(0, MAX_LINES).map((notice) => `${textOf(notice)}.`);
  const rest = notices.length - lines.length;
  return {
    to,
    subject: `${notices.length} ${notices.length === 1 ? 'notice' : 'notices'} of the last day`,
    paragraphs: [...lines, ...(rest > 0 ? [`And ${rest} more.`] : [])],
    link: linkTo(origin, '/?dialog=notices', 'Open your notices'),
    footer: FOOTER,
  };
}

const linkTo = (origin: string | null, path: string, label: string): MailInput['link'] =>
  origin === null ? undefined : { label, url: origin + path, isSecret: false };
