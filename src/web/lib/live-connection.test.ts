import { beforeEach, expect, test, vi } from 'vitest';
import { FakeSocket, stubSockets } from '#web/testing/fake-socket.ts';
import { LiveConnection } from './live-connection.ts';

const entry = {
  id: 7,
  type: 'auth',
  action: 'login',
  status: 'success',
  summary: 'admin signed in',
  createdAt: '2026-01-02T03:04:05.000Z',
  actor: null,
  details: null,
  metadata: null,
  isShortened: false,
};
const message = { type: 'system-log', action: 'created', payload: entry };
const last = () => FakeSocket.all.at(-1) as FakeSocket;

beforeEach(() => {
  vi.useFakeTimers();
  stubSockets();
});

function connect() {
  const live = new LiveConnection();
  live.start();
  last().accept();
  return live;
}

test('the connection opens one socket to /ws of the same host', () => {
  const live = connect();
  live.start();
  expect(FakeSocket.all).toHaveLength(1);
  expect(last().url).toBe(`ws://${location.host}/ws`);
  expect(live.connected).toBe(true);
});

test('a secure page opens an encrypted socket', () => {
  vi.stubGlobal('location', { protocol: 'https:', host: 'interviews.example.com' });
  connect();
  expect(last().url).toBe('wss://interviews.example.com/ws');
});

test('the connection reports connected from the opening of the socket to its closing', () => {
  const live = new LiveConnection();
  const seen: boolean[] = [];
  live.watch(() => seen.push(live.connected));
  live.start();
  expect(live.connected).toBe(false);
  last().accept();
  expect(live.connected).toBe(true);
  last().close();
  expect(live.connected).toBe(false);
  expect(seen).toEqual([true, false]);
});

test('a message sent while the socket closes is dropped with a warning', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const live = connect();
  last().readyState = 2;
  live.subscribe('system-logs');
  expect(last().sent).toEqual([]);
  expect(warned).toHaveBeenCalledOnce();
});

test('a socket that fails is only logged', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  connect();
  last().onerror?.(new Event('error'));
  expect(logged).toHaveBeenCalledOnce();
});

test('handlers receive messages until they are removed, and the most recent one is kept', async () => {
  const live = connect();
  const handler = vi.fn();
  const remove = live.listen(handler);
  last().receive(message);
  await vi.dynamicImportSettled();
  remove();
  last().receive({ ...message, payload: { ...entry, id: 8 } });
  await vi.dynamicImportSettled();

  expect(handler).toHaveBeenCalledExactlyOnceWith(message);
  expect(live.latest).toMatchObject({ payload: { id: 8 } });
});

test.each(['not json', { data: {} }, { type: 'system-log', payload: {} }])(
  'an unreadable message is only logged: %o',
  async (unreadable) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const live = connect();
    const handler = vi.fn();
    live.listen(handler);
    last().receive(unreadable);
    await vi.dynamicImportSettled();
    expect(handler).not.toHaveBeenCalled();
    expect(logged).toHaveBeenCalledOnce();
  },
);

test('a message that arrives while the connection is stopped is dropped', async () => {
  const live = connect();
  const handler = vi.fn();
  live.listen(handler);
  last().receive(message);
  live.stop();
  await vi.dynamicImportSettled();
  expect(handler).not.toHaveBeenCalled();
});

test('messages that arrive while the schema loads are handled in order', async () => {
  const live = connect();
  const handler = vi.fn();
  live.listen(handler);
  for (const id of [1, 2, 3]) last().receive({ ...message, payload: { ...entry, id } });
  await vi.dynamicImportSettled();
  expect(handler.mock.calls.map(([{ payload }]) => payload.id)).toEqual([1, 2, 3]);
});

test('a closed socket is reopened after 5 s, then with delays up to 30 s', () => {
  const live = connect();
  for (const delay of [5_000, 10_000, 20_000, 30_000, 30_000]) {
    const before = FakeSocket.all.length;
    last().close();
    expect(live.connected).toBe(false);
    vi.advanceTimersByTime(delay - 1);
    expect(FakeSocket.all).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(before + 1);
  }
  last().accept();
  last().close();
  vi.advanceTimersByTime(5_000);
  expect(FakeSocket.all).toHaveLength(7);
});

test.each([1001, 1006, 1012])('browsers of a server that restarts (%s) reconnect up to 3 s apart', (code) => {
  connect();
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  last().close(code);
  vi.advanceTimersByTime(7_900);
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(100);
  expect(FakeSocket.all).toHaveLength(2);
});

test('a subscription is sent when the socket opens, and again after a reconnection', () => {
  const live = new LiveConnection();
  const stop = live.subscribe('system-logs');
  live.start();
  expect(last().sent).toEqual([]);
  last().accept();
  expect(last().sent).toEqual([{ type: 'subscribe', channel: 'system-logs' }]);

  last().close();
  vi.advanceTimersByTime(5_000);
  last().accept();
  expect(last().sent).toEqual([{ type: 'subscribe', channel: 'system-logs' }]);

  stop();
  last().close();
  vi.advanceTimersByTime(5_000);
  last().accept();
  expect(last().sent).toEqual([]);
});

test('two subscribers to a channel send one subscription', () => {
  const live = connect();
  const stop = live.subscribe('system-logs');
  live.subscribe('system-logs');
  stop();
  expect(last().sent).toHaveLength(1);
});

test('a stopped connection stays closed', () => {
  const live = connect();
  live.stop();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
  expect(live.connected).toBe(false);
});
