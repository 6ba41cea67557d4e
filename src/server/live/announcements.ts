import type { BulkRun } from '#contracts/bulk.ts';
import type { RefreshMessageType, StepMessage } from '#contracts/live.ts';
import type { LogEntry } from '#contracts/logs.ts';
import type { StepMessageType } from '#contracts/rules/steps.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import { batch, coalesce } from '#server/async/single-flight.ts';
import type { Log } from '#server/ports/log.ts';
import { parseFunnels } from './announced-funnels.ts';
import type { LiveBus } from './bus.ts';
import { EVERYONE, type IsReceiver, type Rights, seesAllOrIs, seesAnyOf } from './receivers.ts';
import type { LiveSockets } from './sockets.ts';

/** How long announcements of the same kind are gathered. */
const GATHER_MS = 150;

/** Reads the data behind an announcement. */
export interface AnnouncedData {
  /** The status for accounts that see these funnels. */
  refreshStatus(funnelIds: Rights['funnelIds']): Promise<RefreshStatus>;
  /** Omits large details, which browsers load on demand. */
  logEntry(id: number): Promise<{ entry: LogEntry; isReader: IsReceiver } | null>;
  stepMessage(type: StepMessageType, interviewId: string): Promise<{ funnelId: number; message: StepMessage } | null>;
  bulkRun(id: number): Promise<BulkRun | null>;
}

interface Sending {
  sockets: LiveSockets;
  data: AnnouncedData;
  failed: (error: unknown) => void;
}

/** Sends a message to the browsers of this process for every announcement from any process. */
export function sendAnnouncements(bus: LiveBus, sockets: LiveSockets, data: AnnouncedData, log: Log): void {
  const failed = (error: unknown) => log.warn({ err: error }, 'could not send a live message; browsers also poll');
  const sending = { sockets, data, failed };
  // Announcements may be missing after a gap. Browsers that reconnect read everything again.
  bus.onGap(() => {
    if (bus.connected) sockets.reconnect();
  });
  bus.on('sync', refreshSender(sending));
  // A bulk run changes interviews several times per second, and browsers then read everything
  // again.
  for (const topic of ['interviews', 'shares'] as const)
    bus.on(
      topic,
      gathered(sending, async (announced) => sockets.send({ type: `${topic}-changed` }, seesAnnounced(announced))),
    );
  sendInterviewMessages(bus, sockets);
  bus.on('devices', (accountId) => sockets.sendToAccount(Number(accountId), { type: 'devices-changed' }));
  bus.on('notices', (accountId) => sockets.sendToAccount(Number(accountId), { type: 'notices-changed' }));
  bus.on('funnels', (announced) => sockets.send({ type: 'funnels-changed' }, seesAnnounced([announced])));
  const sendStep = stepSender(sending);
  bus.on('step', (announced) => sendStep(announced, false));
  bus.on('step-of-bulk', (announced) => sendStep(announced, true));
  bus.on('bulk', bulkSender(sending));
  bus.on('log', (id) => {
    if (!sockets.hasSubscribers('system-logs')) return;
    data
      .logEntry(Number(id))
      .then((found) => {
        if (!found) return;
        const { entry: payload, isReader } = found;
        sockets.send({ type: 'system-log', action: 'created', payload }, isReader, 'system-logs');
      })
      .catch(failed);
  });
}

const INTERVIEW_MESSAGES = [
  ['edit', 'interview-edited'],
  ['reviews', 'reviews-changed'],
  ['comments', 'comments-changed'],
] as const;

/** Messages with the id of an interview. */
function sendInterviewMessages(bus: LiveBus, sockets: LiveSockets): void {
  for (const [topic, type] of INTERVIEW_MESSAGES)
    bus.on(topic, (announced) => {
      const [funnelId, interviewId] = splitAtSpace(announced);
      sockets.send({ type, data: { interviewId } }, seesAnyOf([Number(funnelId)]));
    });
  bus.on('own-mark', (announced) => {
    const [account, interviewId] = splitAtSpace(announced);
    sockets.sendToAccount(Number(account), { type: 'interview-edited', data: { interviewId } });
  });
}

/** An announcement contains funnel ids, or concerns all funnels. */
function seesAnnounced(announced: readonly string[]): IsReceiver {
  const funnelIds = announced.map(parseFunnels);
  return funnelIds.includes(null) ? EVERYONE : seesAnyOf([...new Set(funnelIds.flatMap((ids) => ids ?? []))]);
}

/**
 * A status announcement contains the message type, and the funnels whose status has changed in
 * addition to the one being refreshed.
 */
function refreshSender(sending: Sending) {
  const send = (type: RefreshMessageType, changed: readonly number[] | null) =>
    sendStatus(sending, type, changed).catch(sending.failed);
  const sendProgress = coalesce(() => send('refresh-progress', []));
  return (announced: string) => {
    const [type, changed = ''] = announced.split(' ') as [RefreshMessageType, string?];
    if (type === 'refresh-progress' && changed === '') void sendProgress();
    else void send(type, parseFunnels(changed));
  };
}

/** Accounts that see the same funnels share one read of the status. */
async function sendStatus(
  { sockets, data }: Sending,
  type: RefreshMessageType,
  changed: readonly number[] | null,
): Promise<void> {
  if (sockets.size === 0) return;
  const status = await data.refreshStatus(null);
  const sees = (visible: readonly number[], ids: readonly number[] | null) =>
    ids === null || ids.some((id) => visible.includes(id));
  for (const visible of sockets.visibleFunnels) {
    const send = (message: RefreshMessageType, own: RefreshStatus) =>
      sockets.send({ type: message, data: own }, ({ funnelIds }) => funnelIds === visible);
    const isShown = visible === null || sees(visible, status.funnelId === null ? [] : [status.funnelId]);
    if (isShown) send(type, visible === null || status.queue === null ? status : await data.refreshStatus(visible));
    else if (sees(visible, changed)) {
      const own = await data.refreshStatus(visible);
      send(endOf(type, own), own);
    }
  }
}

/**
 * Used if the refresh of a visible funnel has ended and the next funnel is hidden from the account.
 */
const endOf = (type: RefreshMessageType, { error }: RefreshStatus): RefreshMessageType =>
  type !== 'refresh-progress' ? type : error === null ? 'refresh-completed' : 'refresh-error';

/**
 * Reads one message after the other, because an older state could otherwise overtake a newer one.
 */
function stepSender({ sockets, data, failed }: Sending) {
  let sent = Promise.resolve();
  return (announced: string, isGrouped: boolean) => {
    if (sockets.size === 0) return;
    const [type, interviewId] = splitAtSpace(announced) as [StepMessageType, string];
    sent = sent
      .then(() => data.stepMessage(type, interviewId))
      .then((found) => {
        if (!found) return;
        const { funnelId, message } = found;
        const shown = isGrouped ? { ...message, data: { ...message.data, isGrouped } } : message;
        sockets.send(shown, seesAnyOf([funnelId]));
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
const bulkSender = (sending: Sending) =>
  gathered(sending, async (ids) => {
    for (const id of new Set(ids)) {
      const run = await sending.data.bulkRun(Number(id));
      if (run)
        sending.sockets.send({ type: 'bulk-run', data: run }, seesAllOrIs(run.startedBy?.id ?? null, 'recruiter'));
    }
  });

/** Returns a listener that sends messages for all announcements of the next moment together. */
function gathered({ sockets, failed }: Sending, send: (announced: readonly string[]) => Promise<void>) {
  const sendGathered = batch(send, { gatherMs: GATHER_MS });
  return (announced: string) => {
    if (sockets.size > 0) sendGathered(announced).catch(failed);
  };
}
