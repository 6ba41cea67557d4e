import type { PublicEventName } from '#contracts/public-events.ts';
import { cutValue } from '#server/events/log-texts.ts';
import type { DeliveryRow } from './webhook-deliveries.repo.ts';

interface TextData {
  title?: string;
  step?: string;
  text?: string;
  recipient?: string;
  verdict?: string;
  isCanceled?: boolean;
  isFirst?: boolean;
  error?: string;
}

const STEPS: Record<string, string> = { convert: 'Converting', transcribe: 'Transcribing', summarize: 'Summarizing' };
const client = ({ recipient = 'A client' }: TextData) => recipient;

const TEXTS: Record<PublicEventName, (data: TextData) => string> = {
  'interview.added': () => 'New interview',
  'interview.edited': ({ text }) => `The ${text} of an interview was edited`,
  'interview.archived': () => 'An interview was archived',
  'interview.sent': () => 'The destination of an interview was set',
  'step.completed': ({ step = '' }) => `${STEPS[step] ?? step} an interview succeeded`,
  'step.failed': ({ step = '' }) => `${STEPS[step] ?? step} an interview failed`,
  'refresh.completed': () => 'A refresh ended',
  'refresh.failed': ({ isCanceled }) => (isCanceled ? 'A refresh was canceled' : 'A refresh failed'),
  'review.submitted': ({ isFirst }) => (isFirst ? 'An interview was reviewed' : 'A review was changed'),
  'share.opened': (data) => `${client(data)} opened a link`,
  'share.decided': (data) => `${client(data)} decided ${data.verdict} about a candidate`,
  'ats.sent': () => 'An interview was sent to the ATS',
  'ats.failed': () => 'An interview could not be sent to the ATS',
};

/** Describes an event in one line of text. */
export function sentenceOf({ type, actor, data }: DeliveryRow): string {
  const text = TEXTS[type as PublicEventName] as ((data: TextData) => string) | undefined;
  if (!text) return 'This is a test of the webhook.';
  const { title, error } = data as TextData;
  const by = actor.kind === 'account' && actor.name !== null ? ` by ${actor.name}` : '';
  return [`${text(data)}${by}`, ...[title, error].filter((part) => part !== undefined).map(cutValue)].join(': ');
}
