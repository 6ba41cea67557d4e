import type { StepStatus } from '#contracts/rules/badges.ts';

/** The values of an interview that the list depends on. */
export interface ModelInterview {
  id: string;
  funnelId: number;
  title: string;
  candidateName: string | null;
  candidateEmail: string | null;
  recordedAt: string;
  seconds: number;
  archived: boolean;
  transcript: string | null;
  summary: string | null;
  youtubeId: string | null;
  destinationId: string | null;
  youtubeStatus: StepStatus | null;
  transcriptionStatus: StepStatus | null;
  summaryStatus: StepStatus | null;
}

export interface ModelQuery {
  page: number;
  limit: number;
  search: string;
  funnelId: number[];
  clientName: string[];
  status: 'all' | 'new' | 'processing' | 'pending' | 'sent' | 'error';
  startDate: string | undefined;
  endDate: string | undefined;
  archived: '0' | '1';
  ready: '0' | '1';
  withoutTranscript: '1' | undefined;
  sort: 'newest' | 'oldest' | 'longest' | undefined;
}

/**
 * A simple model of the interview list according to the specification: every query filters all
 * interviews. It supports search words of letters and digits, or of punctuation.
 */
export function modelList(
  interviews: readonly ModelInterview[],
  clients: ReadonlyMap<number, string | null>,
  query: ModelQuery,
): { ids: string[]; total: number } {
  const found = interviews
    .filter((interview) => interview.archived === (query.archived === '1'))
    .filter(({ funnelId }) => query.funnelId.length === 0 || query.funnelId.includes(funnelId))
    .filter(({ funnelId }) => query.clientName.length === 0 || query.clientName.includes(clients.get(funnelId) ?? ''))
    .filter((interview) => query.status === 'all' || BADGE[query.status](interview))
    .filter(({ transcriptionStatus }) => !query.withoutTranscript || transcriptionStatus !== 'completed')
    .filter((interview) => query.ready === '0' || isReady(interview))
    .filter(({ recordedAt }) => !query.startDate || Date.parse(recordedAt) >= Date.parse(query.startDate))
    .filter(({ recordedAt }) => !query.endDate || Date.parse(recordedAt) <= Date.parse(query.endDate))
    .filter((interview) => {
      const words = query.search.toLowerCase().split(/\s+/u).filter(Boolean);
      return words.every((word) => hasInLines(interview, clients, word) || hasInTexts(interview, word));
    })
    .sort(
      (a, b) =>
        (query.sort === 'longest' ? b.seconds - a.seconds : 0) ||
        Date.parse(b.recordedAt) - Date.parse(a.recordedAt) ||
        Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)),
    );
  if (query.sort === 'oldest') found.reverse();
  const from = (query.page - 1) * query.limit;
  return { ids: found.slice(from, from + query.limit).map(({ id }) => id), total: found.length };
}

const steps = (interview: ModelInterview) => [
  interview.youtubeStatus,
  interview.transcriptionStatus,
  interview.summaryStatus,
];
const hasSomething = (interview: ModelInterview) =>
  interview.youtubeId !== null ||
  interview.transcriptionStatus === 'completed' ||
  interview.summaryStatus === 'completed';

const isReady = ({ youtubeId, transcriptionStatus, summaryStatus, destinationId }: ModelInterview) =>
  youtubeId !== null && destinationId === null && transcriptionStatus === 'completed' && summaryStatus === 'completed';

/** A second implementation of section 4 of the specification, "Card badges". */
const BADGE: Record<Exclude<ModelQuery['status'], 'all'>, (interview: ModelInterview) => boolean> = {
  new: (interview) => !hasSomething(interview) && interview.destinationId === null,
  processing: (interview) => steps(interview).includes('in-progress'),
  pending: (interview) =>
    hasSomething(interview) && interview.destinationId === null && !steps(interview).includes('in-progress'),
  sent: (interview) => interview.destinationId !== null,
  error: (interview) => steps(interview).includes('failed'),
};

function hasInLines(interview: ModelInterview, clients: ReadonlyMap<number, string | null>, word: string): boolean {
  const { title, candidateName, candidateEmail, id, funnelId } = interview;
  return [title, candidateName, candidateEmail, clients.get(funnelId), id].some((line) =>
    line?.toLowerCase().includes(word),
  );
}

/** Words of a text are found by their beginning. */
const hasInTexts = ({ transcript, summary }: ModelInterview, word: string) =>
  `${transcript ?? ''} ${summary ?? ''}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((spoken) => /^[\p{L}\p{N}]/u.test(word) && spoken.startsWith(word));
