import type { MailInput } from '#server/features/mail/mail.service.ts';

interface SharedLink {
  shareId: number;
  email: string;
  recipient: string;
  sender: string;
  /** With names hidden as for the recipient. */
  message: string | null;
  expiresAt: Date;
  hasPasscode: boolean;
}

/** Prefixes the reference of every link mail. */
export const SHARE_REFERENCES = 'share ';

/** Mails of a link that was revoked or replaced are withdrawn. */
export const shareReference = (shareId: number) => `${SHARE_REFERENCES}${shareId}`;

/** Contains no candidate's name, except in the sender's own text. */
export const linkMail = (link: SharedLink, url: string): MailInput => ({
  to: link.email,
  subject: `${link.sender} shared candidates with you`,
  paragraphs: [
    `Hello ${link.recipient},`,
    ...(link.message ? [link.message] : []),
    `The link is for you only and works until ${link.expiresAt.toLocaleString('en-US', MOMENT)} UTC.`,
    ...(link.hasPasscode ? [`${link.sender} has a passcode for you.`] : []),
  ],
  link: { label: 'Watch the interviews', url, isSecret: true },
  footer: "If you didn't expect this mail, ignore it.",
  reference: shareReference(link.shareId),
});

const MOMENT = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
