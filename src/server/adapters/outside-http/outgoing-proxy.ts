import { BlockList, isIP } from 'node:net';
import { type Agent, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { findTlsProblem } from '#server/ports/tls-problem.ts';
import { addAddresses, familyOf, plainHost, portOf } from './private-addresses.ts';

/** The proxy that calls of outside services go through. */
export interface OutgoingProxy {
  /** With its username and password, if it needs them. */
  url: string;
  /** Hosts that are called directly: names, with all names below them, IP addresses and ranges. */
  except: readonly string[];
}

export interface TunnelOptions {
  agent: Omit<Agent.Options, 'connect'>;
  connectTimeoutMs: number;
  /** Called before each connection. @throws when the host must not be called */
  check?: (host: string, port: number) => Promise<void>;
}

/** No connection through the proxy. `message` follows "… can't be reached: ". */
export class ProxyError extends Error {
  override name = 'ProxyError';
  /** Whether the proxy itself is the problem, for every host. */
  readonly isOwn: boolean;

  constructor(message: string, { isOwn, cause }: { isOwn: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isOwn = isOwn;
  }
}

/** Whether calls of the host go through the proxy. */
export function isProxied(proxy: OutgoingProxy, hostname: string): boolean {
  const host = plainHost(hostname);
  const addresses = new BlockList();
  const names: string[] = [];
  for (const item of proxy.except)
    if (isIP(item.split('/')[0] ?? '') > 0) addAddresses(addresses, item);
    else names.push(item.replace(/^\./, '').toLowerCase());
  if (isIP(host) > 0) return !addresses.check(host, familyOf(host));
  return !names.some((name) => host === name || host.endsWith(`.${name}`));
}

/**
 * Sends calls through a tunnel (CONNECT) of the proxy, which resolves the host name; calls to
 * excepted hosts are sent by `direct`.
 */
export function throughProxy(
  proxy: OutgoingProxy,
  direct: Agent,
  { agent, connectTimeoutMs: timeout, check }: TunnelOptions,
): Dispatcher {
  const tunnels = new ProxyAgent({
    ...agent,
    ...credentialsApart(proxy.url),
    allowH2: false,
    proxyTunnel: true,
    proxyTls: { allowH2: false, timeout },
    requestTls: { allowH2: false, timeout },
    clientFactory: (origin, options) => {
      const pool = new Pool(origin, { ...options, headersTimeout: timeout });
      const open = pool.connect.bind(pool) as Open;
      return Object.assign(pool, { connect: tunnelOpener(open, check) });
    },
  });
  return direct.compose(
    (dispatch) => (call, handler) =>
      isProxied(proxy, new URL(call.origin ?? '').hostname)
        ? tunnels.dispatch({ ...call, origin: call.origin ?? '' }, handler)
        : dispatch(call, handler),
  );
}

/** 407 is the standard. Tinyproxy returns 401 for a wrong password. */
const NO_SIGN_IN: readonly number[] = [401, 407];

type Open = (call: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;

const tunnelOpener =
  (open: Open, check: TunnelOptions['check']): Open =>
  async (call) => {
    const target = new URL(`http://${call.path}`);
    await check?.(plainHost(target.hostname), portOf(target.protocol, target.port));
    const opened = await open(call).catch((error: unknown) => {
      throw new ProxyError(unreachable(error), { isOwn: true, cause: error });
    });
    if (opened.statusCode === 200) return opened;
    opened.socket.on('error', () => {}).destroy();
    throw new ProxyError(refusedTunnel(opened.statusCode), {
      isOwn: NO_SIGN_IN.includes(opened.statusCode),
    });
  };

/** For a proxy that did not respond. */
export function unreachable(error: unknown): string {
  if (findTlsProblem(error) === 'no_tls')
    return "the outgoing proxy doesn't speak TLS. Ask an admin to check OUTGOING_PROXY, which may have to start with http://.";
  if (findTlsProblem(error) !== null)
    return "the certificate of the outgoing proxy isn't valid. Ask an admin to check OUTGOING_PROXY and NODE_EXTRA_CA_CERTS.";
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return `the outgoing proxy doesn't answer${code}. Ask an admin to check OUTGOING_PROXY.`;
}

/** For a proxy that answered CONNECT with another status than 200. */
export function refusedTunnel(status: number): string {
  if (NO_SIGN_IN.includes(status))
    return `the outgoing proxy rejected our username and password (${status}). Ask an admin to check OUTGOING_PROXY.`;
  if (status >= 500)
    return `the outgoing proxy can't reach it (${status}). Ask an admin to check its address, OUTGOING_PROXY and OUTGOING_PROXY_EXCEPT.`;
  return `the outgoing proxy refused the connection (${status}). Ask an admin to allow the host there, or to add it to OUTGOING_PROXY_EXCEPT.`;
}

/** undici takes credentials from a URL only if it has both parts. */
function credentialsApart(proxyUrl: string): { uri: string; token?: string } {
  const url = new URL(proxyUrl);
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const hasCredentials = pair !== ':';
  Object.assign(url, { username: '', password: '' });
  return { uri: url.href, ...(hasCredentials && { token: `Basic ${Buffer.from(pair).toString('base64')}` }) };
}
