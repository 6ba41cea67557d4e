import type { FastifyBaseLogger } from 'fastify';
import type { RefreshMessageType, StepMessage } from '#contracts/live.ts';
import type { LogEntry } from '#contracts/logs.ts';
import type { StepMessageType } from '#contracts/rules/step-message-types.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import type { LiveBus } from './bus.ts';
import type { LiveSockets } from './sockets.ts';

/** Where the data behind an announcement is read. */
export interface AnnouncedData {
  refreshStatus(): Promise<RefreshStatus>;
  logEntry(id: number): Promise<LogEntry | null>;
  stepMessage(type: StepMessageType, interviewId: string): Promise<StepMessage | null>;
}

/** Turns what processes announce into messages for the browsers of this process. */
export function sendAnnouncements(
  bus: LiveBus,
  sockets: LiveSockets,
  data: AnnouncedData,
  log: FastifyBaseLogger,
): void {
  const failed = (error: unknown) => log.warn({ err: error }, 'could not send a live message; browsers also poll');

  const refresh = async (type: RefreshMessageType) => {
    if (sockets.size > 0) sockets.send({ type, data: await data.refreshStatus() });
  };
  const progress = coalesced(() => refresh('refresh-progress').catch(failed));
  bus.on('sync', (type) => {
    if (type === 'refresh-progress') progress();
    else refresh(type as RefreshMessageType).catch(failed);
  });
  // After a gap nobody knows what was missed. Browsers that connect anew read everything again.
  bus.onGap(() => {
    if (bus.connected) sockets.reconnect();
  });

  bus.on('interviews', () => sockets.send({ type: 'interviews-changed' }));
  bus.on('edit', (interviewId) => sockets.send({ type: 'interview-edited', data: { interviewId } }));
  bus.on('funnels', () => sockets.send({ type: 'funnels-changed' }));

  // `conversion-completed iv_1`: an interview's id may contain anything but control characters.
  // One after the other: read side by side, an older state could overtake the newer one.
  let sent = Promise.resolve();
  bus.on('step', (announced) => {
    if (sockets.size === 0) return;
    const space = announced.indexOf(' ');
    const [type, interviewId] = [announced.slice(0, space) as StepMessageType, announced.slice(space + 1)];
    sent = sent
      .then(() => data.stepMessage(type, interviewId))
      .then((message) => {
        if (message) sockets.send(message);
      })
      .catch(failed);
  });

  bus.on('log', (id) => {
    if (!sockets.hasSubscribers('system-logs')) return;
    data
      .logEntry(Number(id))
      .then((entry) => {
        if (entry) sockets.send({ type: 'system-log', action: 'created', payload: slim(entry) }, 'system-logs');
      })
      .catch(failed);
  });
}

/** The entry of a large refresh has megabytes of details; who wants them reads them. */
const LARGEST_DETAILS = 32 * 1024;

const slim = (entry: LogEntry): LogEntry =>
  JSON.stringify([entry.details, entry.metadata]).length > LARGEST_DETAILS
    ? { ...entry, details: null, metadata: null }
    : entry;

/** Runs `work` now, or once more after the run that is under way: a hundred calls in that time are one. */
function coalesced(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => void run();
}
