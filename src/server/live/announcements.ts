import type { BulkRun } from '#contracts/bulk.ts';
import type { RefreshMessageType, StepMessage } from '#contracts/live.ts';
import type { LogEntry } from '#contracts/logs.ts';
import type { StepMessageType } from '#contracts/rules/steps.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import { batch, coalesce } from '#server/async/single-flight.ts';
import type { Log } from '#server/ports/log.ts';
import type { LiveBus } from './bus.ts';
import type { LiveSockets } from './sockets.ts';

/** How long announcements of the same kind are gathered. */
const GATHER_MS = 150;

/** Reads the data behind an announcement. */
export interface AnnouncedData {
  refreshStatus(): Promise<RefreshStatus>;
  /** Without large details, which few browsers need: they read them on demand. */
  logEntry(id: number): Promise<LogEntry | null>;
  stepMessage(type: StepMessageType, interviewId: string): Promise<StepMessage | null>;
  bulkRun(id: number): Promise<BulkRun | null>;
}

/** Sends a message to the browsers of this process for each announcement of any process. */
export function sendAnnouncements(bus: LiveBus, sockets: LiveSockets, data: AnnouncedData, log: Log): void {
  const failed = (error: unknown) => log.warn({ err: error }, 'could not send a live message; browsers also poll');

  const sendStatus = async (type: RefreshMessageType) => {
    if (sockets.size > 0) sockets.send({ type, data: await data.refreshStatus() });
  };
  const sendProgress = coalesce(() => sendStatus('refresh-progress').catch(failed));
  bus.on('sync', (type) => {
    if (type === 'refresh-progress') void sendProgress();
    else sendStatus(type as RefreshMessageType).catch(failed);
  });
  // Announcements may be missing after a gap. Browsers that reconnect read everything again.
  bus.onGap(() => {
    if (bus.connected) sockets.reconnect();
  });

  // A bulk run changes interviews several times per second, and browsers then read everything
  // again.
  const sendChanged = batch(async () => sockets.send({ type: 'interviews-changed' }), { gatherMs: GATHER_MS });
  bus.on('interviews', () => void sendChanged('changed'));
  bus.on('edit', (interviewId) => sockets.send({ type: 'interview-edited', data: { interviewId } }));
  bus.on('devices', (accountId) => sockets.sendToAccount(Number(accountId), { type: 'devices-changed' }));
  bus.on('unwatched', (announced) => {
    const [account, interviewId] = splitAtSpace(announced);
    sockets.sendToAccount(Number(account), { type: 'interview-edited', data: { interviewId } });
  });
  bus.on('funnels', () => sockets.send({ type: 'funnels-changed' }));
  const sendStep = stepSender(sockets, data, failed);
  bus.on('step', (announced) => sendStep(announced, false));
  bus.on('step-of-bulk', (announced) => sendStep(announced, true));
  bus.on('bulk', bulkSender(sockets, data, failed));
  bus.on('log', (id) => {
    if (!sockets.hasSubscribers('system-logs')) return;
    data
      .logEntry(Number(id))
      .then((entry) => {
        if (entry) sockets.send({ type: 'system-log', action: 'created', payload: entry }, 'system-logs');
      })
      .catch(failed);
  });
}

/**
 * Reads one message after the other, because an older state could otherwise overtake a newer one.
 */
function stepSender(sockets: LiveSockets, data: AnnouncedData, failed: (error: unknown) => void) {
  let sent = Promise.resolve();
  return (announced: string, isGrouped: boolean) => {
    if (sockets.size === 0) return;
    const [type, interviewId] = splitAtSpace(announced) as [StepMessageType, string];
    sent = sent
      .then(() => data.stepMessage(type, interviewId))
      .then((message) => {
        if (message) sockets.send(isGrouped ? { ...message, data: { ...message.data, isGrouped } } : message);
      })
      .catch(failed);
  };
}

/** Splits `conversion-completed iv_1` or `7 iv_1`: an interview's id may contain spaces. */
function splitAtSpace(announced: string): [string, string] {
  const space = announced.indexOf(' ');
  return [announced.slice(0, space), announced.slice(space + 1)];
}

/** Announcements of the same run share a read. */
function bulkSender(sockets: LiveSockets, data: AnnouncedData, failed: (error: unknown) => void) {
  const sendRuns = batch(
    async (ids: readonly string[]) => {
      for (const id of new Set(ids)) {
        const run = await data.bulkRun(Number(id));
        if (run) sockets.send({ type: 'bulk-run', data: run });
      }
    },
    { gatherMs: GATHER_MS },
  );
  return (id: string) => {
    if (sockets.size > 0) sendRuns(id).catch(failed);
  };
}
