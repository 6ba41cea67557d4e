import type { Delivery, Notice, NoticeKind, NoticeSettings } from '#contracts/notices.ts';

export const KIND_LABELS: Record<keyof NoticeSettings, string> = {
  opened: 'A client opens a link',
  verdict: 'A client decides on a candidate',
  mention: 'A colleague mentions you',
  expiring: 'A link expires unopened',
};

export const DELIVERY_LABELS: Record<Delivery, string> = {
  now: 'Immediately',
  daily: 'Once a day',
  off: 'Off',
};

const TEXTS: Record<NoticeKind, (actor: string) => string> = {
  opened: (actor) => `${actor} opened your link`,
  verdict: (actor) => `${actor} decided on a candidate`,
  mention: (actor) => `${actor} mentioned you in a comment`,
  expiring: (actor) => `Your link for ${actor} expires soon and was not opened`,
  webhook: (actor) => `The webhook to ${actor} was paused`,
};

export const noticeText = ({ kind, actor }: Notice): string => TEXTS[kind](actor ?? 'Someone');
