import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import type { Interview } from '#contracts/interviews.ts';
import type { Setup } from '#contracts/setup.ts';
import type { SummaryStructure } from '#contracts/summaries.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { FakeSocket } from '#web/testing/fake-socket.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { serve } from '#web/testing/server-edge.ts';

export const anInterview = (part: Partial<Interview> = {}): Interview => ({
  id: 'int-1',
  interviewId: 'int-1',
  title: 'Amara for Nursing',
  description: null,
  candidateName: 'Amara Okafor',
  candidateEmail: 'amara@example.com',
  candidatePhone: null,
  recordedDate: '2026-03-05T12:00:00.000Z',
  duration: 125,
  originalUrl: null,
  thumbnailUrl: 'https://far.example.com/thumb.jpg',
  thumbnailFile: 'thumb 1.jpg',
  videoUrl: 'https://far.example.com/video.mp4',
  videoFile: 'video.mp4',
  hasLocalCopy: true,
  youtubeId: null,
  youtubeUrl: null,
  youtubeStatus: null,
  transcriptionStatus: null,
  transcriptionText: null,
  summaryStatus: null,
  summaryText: null,
  destinationId: null,
  destinationUrl: null,
  clientName: 'St. Hedwig',
  funnelId: 'nursing',
  funnelIdNum: 1,
  createdAt: '2026-03-05T12:00:00.000Z',
  archived: false,
  processingStatus: { questions: [] },
  watched: false,
  myRecommendation: null,
  separateAnswers: null,
  push: null,
  match: null,
  ...part,
});

/** A generated summary. */
export const aSummary = (): SummaryStructure => ({
  method: 'model',
  overview: 'Plans ahead.',
  expectations: [
    {
      field: 'skills',
      expectation: 'forklift, planning',
      verdict: 'partly',
      note: 'Planning was shown.',
      quotes: [{ text: 'We plan every shift', startSeconds: 64.2 }],
    },
    { field: 'cultureExpectations', expectation: 'kind', verdict: 'not shown', note: null, quotes: [] },
  ],
  openQuestions: ['Which forklift licence do you have?'],
});

/** The state in which a destination can be set: converted, with both texts. */
export const READY = {
  youtubeId: 'yt',
  youtubeUrl: 'https://youtu.be/yt',
  youtubeStatus: 'completed',
  transcriptionStatus: 'completed',
  summaryStatus: 'completed',
} as const;

/** A server with every service, and a refreshed funnel. */
export const aSetup = (part: Partial<Setup> = {}): Setup => ({
  interviewService: true,
  sources: ['rest', 'hireflix', 'videoask', 'upload'],
  funnel: true,
  activeFunnel: true,
  refreshed: true,
  youtube: true,
  transcription: true,
  summaries: true,
  applicationLink: true,
  ats: true,
  atsAccount: { name: 'Bullhorn', account: 'interviews.api', canWrite: true },
  mail: true,
  ...part,
});

export const aStatus = (part: Partial<RefreshStatus> = {}): RefreshStatus => ({
  inProgress: false,
  processed: 0,
  total: 0,
  downloadedFiles: 0,
  totalFiles: 0,
  current: null,
  error: null,
  message: null,
  cancelRequested: false,
  funnelId: null,
  timeframe: null,
  queue: null,
  ...part,
});

/**
 * Renders the dashboard with these interviews. `responses` adds or replaces responses of the
 * server.
 */
export function openDashboard(interviews: Interview[], responses: Parameters<typeof serve>[0] = {}, path = '/') {
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana' },
    'GET /api/funnels': [aFunnel(), aFunnel({ id: 2, name: 'Support', clientName: 'Parcelbird', isActive: false })],
    'GET /api/funnels/active': aFunnel(),
    'GET /api/interviews/sync/status': aStatus(),
    'GET /api/setup': aSetup(),
    'GET /api/saved-views': [],
    'GET /api/interviews': () => ({ interviews, total: interviews.length }),
    'GET /api/review': { unwatched: 0, withoutTranscript: null, seconds: null },
    ...Object.fromEntries(
      interviews.map(({ id }) => [`POST /api/interviews/${id}/played`, { message: 'Recorded as played' }]),
    ),
    ...responses,
  });
  // Requests with the limit 1 only count.
  const lists = () => seen.filter(({ path, query }) => path === '/api/interviews' && query.get('limit') !== '1');
  return { user: renderApp(path), seen, lists };
}

export const card = (title = 'Amara for Nursing') => within(screen.getByRole('article', { name: title }));

export const findCard = async (title = 'Amara for Nursing') =>
  within(await screen.findByRole('article', { name: title }));

/** Sends a message over the live sockets. */
export async function sendLive(message: object) {
  await waitFor(() => expect(FakeSocket.all.length).toBeGreaterThan(0));
  for (const socket of FakeSocket.all) socket.receive(message);
}
