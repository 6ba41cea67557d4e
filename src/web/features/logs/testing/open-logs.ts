import { act, screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import type { LogEntry, RefreshLogDetails, RefreshLogMetadata } from '#contracts/logs.ts';
import { FakeSocket } from '#web/testing/fake-socket.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { serve } from '#web/testing/server-edge.ts';

export const aLog = (part: Partial<LogEntry> = {}): LogEntry => ({
  id: 1,
  type: 'auth',
  action: 'sign-in',
  status: 'success',
  summary: 'dana signed in.',
  createdAt: '2026-03-05T16:05:09.000Z',
  actor: null,
  details: null,
  metadata: { username: 'dana' },
  isShortened: false,
  ...part,
});

const DETAILS: RefreshLogDetails = {
  funnelName: 'Nursing',
  funnelId: 4,
  funnelApiId: 'nursing-2026',
  processingTimeMs: 12_340,
  skippedInterviews: [{ interviewId: 'iv-9', title: 'Noor for Nursing', reason: 'The interview is archived.' }],
  detailedChanges: {
    'iv-7': {
      title: 'Amara for Nursing',
      fields: {
        candidateName: { oldValue: 'Amara', newValue: 'Amara Okafor' },
        candidatePhone: { oldValue: null, newValue: '+49 30 5550 0100' },
      },
    },
  },
};
const METADATA: RefreshLogMetadata = {
  count: 1_204,
  newCount: 11,
  updatedCount: 12,
  archivedCount: 13,
  downloadedFiles: 20,
  failedFiles: 0,
  timeframe: 'all',
  funnelDetails: { id: 4, name: 'Nursing 2026', funnelId: 'nursing-2026', clientName: 'St. Hedwig' },
  detailedSummary: { totalFieldChanges: 17, updatedInterviewIds: ['iv-7', 'iv-8'], skippedInterviewCount: 14 },
};

/** An entry that reports a finished refresh. */
export const aRefreshLog = (
  details: Partial<RefreshLogDetails> & Record<string, unknown> = {},
  part: Partial<LogEntry> = {},
): LogEntry =>
  aLog({
    id: 8,
    type: 'refresh',
    action: 'sync-interviews',
    summary: 'Nursing: Processed 1204 interviews.',
    details: { ...DETAILS, ...details },
    metadata: { ...METADATA },
    ...part,
  });

/** Renders System Logs with these entries, filtered and paged as on the server. */
export function openLogs(
  logs: readonly LogEntry[],
  path = '/system-logs',
  responses: Parameters<typeof serve>[0] = {},
) {
  const entries = [...logs];
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana' },
    'GET /api/logs': ({ query }) => {
      const [page, limit, type] = [Number(query.get('page')), Number(query.get('limit')), query.get('type')];
      const found = entries.filter((log) => type === null || log.type === type);
      return { logs: found.slice((page - 1) * limit, page * limit), total: found.length };
    },
    ...responses,
  });
  return {
    user: renderApp(path),
    reads: () => seen.filter((request) => request.path === '/api/logs').map(({ query }) => Object.fromEntries(query)),
    /** Adds entries on the server and sends a live message for each. */
    write: async (...written: LogEntry[]) => {
      for (const entry of written) entries.unshift(entry);
      await act(async () => {
        for (const payload of written)
          FakeSocket.all.at(-1)?.receive({ type: 'system-log', action: 'created', payload });
        await vi.dynamicImportSettled();
      });
    },
  };
}

export const socket = () => FakeSocket.all.at(-1) as FakeSocket;

/** The cell texts of all rows except the heading. */
export async function findRows(): Promise<string[][]> {
  await screen.findByRole('table', { name: 'Log entries' });
  return screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent ?? ''),
    );
}

/** Opens the details of the only entry. */
export async function openDetails({ user }: ReturnType<typeof openLogs>) {
  await user.click(await screen.findByRole('button', { name: 'Details' }));
  return within(await screen.findByRole('dialog', { name: 'Log Details' }));
}

/** The value next to a name. */
export const fact = (dialog: Pick<typeof screen, 'getAllByRole'>, name: string, place = 0) =>
  dialog.getAllByRole('term').filter((term) => term.textContent === name)[place]?.nextElementSibling?.textContent;
