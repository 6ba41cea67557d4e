import type { MailInput } from '#server/features/mail/mail.service.ts';

interface Invited {
  accountId: number;
  username: string;
  email: string;
  expiresAt: Date;
}

export const invitationReference = (accountId: number) => `invitation ${accountId}`;

export const newInvitationMail = (invited: Invited, link: string): MailInput =>
  invitationMail(invited, link, {
    subject: 'You are invited to Video Interview Management',
    paragraphs: [
      'You have an account for Video Interview Management.',
      `Your username is ${invited.username}. Choose a password to sign in.`,
    ],
  });

/** Also for a forgotten password. */
export const renewedInvitationMail = (invited: Invited, link: string): MailInput =>
  invitationMail(invited, link, {
    subject: 'Choose a password for Video Interview Management',
    paragraphs: [
      'An administrator has created a new link to choose your password. Earlier links no longer work.',
      `Your username is ${invited.username}.`,
    ],
  });

const MOMENT = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;

const invitationMail = (
  { accountId, email, expiresAt }: Invited,
  url: string,
  { subject, paragraphs }: Pick<MailInput, 'subject' | 'paragraphs'>,
): MailInput => ({
  to: email,
  subject,
  paragraphs: [...paragraphs, `The link works once, until ${expiresAt.toLocaleString('en-US', MOMENT)} UTC.`],
  link: { label: 'Choose a password', url, isSecret: true },
  footer: "If you didn't expect this mail, ignore it.",
  reference: invitationReference(accountId),
});
