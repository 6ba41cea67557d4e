import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse, Moment, rowIds } from './fields.ts';
import { hasRole, type Role } from './rules/roles.ts';

/** Kinds that each account configures. Not in the specification, like everything in this file. */
export const CHOSEN_KINDS = ['opened', 'verdict', 'mention', 'expiring'] as const;
const NOTICE_KINDS = [...CHOSEN_KINDS, 'webhook'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The least role that is notified, because it can open what the notice is about. */
const LEAST_ROLES: Record<NoticeKind, Role> = {
  ...{ opened: 'recruiter', verdict: 'recruiter', expiring: 'recruiter' },
  mention: 'reviewer',
  webhook: 'administrator',
};

/** The kinds of notices that an account with this role gets. */
export const noticeKindsOf = (role: Role): NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => hasRole(role, LEAST_ROLES[kind]));

export const Notice = z.object({
  id: z.int(),
  /**
   * A client opened a link, or decided on a candidate; a colleague mentioned the account in a
   * comment; a link expires and was never opened; an outgoing webhook was paused.
   */
  kind: z.enum(NOTICE_KINDS),
  interviewId: z.string().nullable(),
  shareId: z.int().nullable(),
  /** The client, the colleague or the webhook's host. */
  actor: z.string().nullable(),
  createdAt: Moment,
  readAt: Moment.nullable(),
});
export type Notice = z.infer<typeof Notice>;

/** `now`: a mail immediately. `daily`: one mail per day. `off`: neither a mail nor a notice. */
export const DELIVERIES = ['now', 'daily', 'off'] as const;
const Delivery = z.enum(DELIVERIES, { error: 'must be now, daily or off' });
export type Delivery = z.infer<typeof Delivery>;

export const NoticeSettings = z.object({ opened: Delivery, verdict: Delivery, mention: Delivery, expiring: Delivery });
export type NoticeSettings = z.infer<typeof NoticeSettings>;

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'The newest notifications of the account, except about interviews that it no longer sees',
  role: 'reviewer',
  scope: 'read',
  response: z.object({
    /** The newest 100. */
    notifications: z.array(Notice),
    /** Counts all unread notifications, not only the newest. */
    unread: z.int(),
  }),
});

export const readNotices = endpoint({
  method: 'POST',
  path: '/api/notifications/read',
  summary: 'Marks notifications as read; without `ids`, all of them',
  role: 'reviewer',
  scope: 'write',
  // A request without a body has none of the fields.
  body: z.preprocess((body) => body ?? {}, z.object({ ids: rowIds(1_000, 'must be ids of notifications').optional() })),
  response: z.object({ unread: z.int() }),
});

export const getNoticeSettings = endpoint({
  method: 'GET',
  path: '/api/user/notices',
  summary: 'How the account is notified about each kind of event',
  role: 'reviewer',
  scope: null,
  response: NoticeSettings,
});

export const saveNoticeSettings = endpoint({
  method: 'PUT',
  path: '/api/user/notices',
  summary: 'Changes how the account is notified about each kind of event',
  role: 'reviewer',
  scope: null,
  body: NoticeSettings,
  response: NoticeSettings,
});

export const sendTestMail = endpoint({
  method: 'POST',
  path: '/api/mail/test',
  summary: 'Sends a test mail immediately, to check whether mail works',
  role: 'administrator',
  scope: null,
  body: z.object({
    to: z
      .string()
      .trim()
      .max(254, 'must be at most 254 characters')
      .regex(/^[^\s@,\p{C}]+@[^\s@,\p{C}]+$/u, 'must be an email address, such as ann@example.com'),
  }),
  response: MessageResponse,
});
