import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { bullhornTokens } from '#server/adapters/ats-bullhorn/bullhorn-ats.ts';
import { httpDownloader } from '#server/adapters/http-download/http-downloader.ts';
import { YoutubeConsent } from '#server/adapters/video-host-youtube/youtube-consent.ts';
import { outgoingProxy, pickAdapters } from '#server/compose-adapters.ts';
import { bullhornAccess } from '#server/compose-ats.ts';
import { readConfig } from '#server/config/config.ts';
import type { SourceAccess } from '#server/ports/interview-source.ts';
import { emptyFolder } from './support/backups.ts';
import { runCommandLine } from './support/commands.ts';
import { PATH, setUpDownloader } from './support/downloads.ts';
import { isTinyproxyInstalled } from './support/find-tinyproxy.ts';
import { freePorts } from './support/free-ports.ts';
import { setUpProcessing } from './support/processing.ts';
import { startSandbox } from './support/start-sandbox.ts';
import { startTinyproxy } from './support/tinyproxy.ts';

const RETRY = { tries: 1, firstDelayMs: 1, maxDelayMs: 1 };
const never = new AbortController().signal;
/** The sandbox is on this machine, which is excepted by default. */
const EXCEPT_NOTHING = { OUTGOING_PROXY_EXCEPT: 'nothing.invalid' };
const behindProxy = test.runIf(isTinyproxyInstalled());

/** Every kind of call that leaves, as the product makes it. */
async function callsOf(sandbox: Sandbox, env: Record<string, string>): Promise<Record<string, () => Promise<unknown>>> {
  const DATA_DIR = await emptyFolder();
  const config = readConfig({ ...productVariables(sandbox), DATA_DIR, ...EXCEPT_NOTHING, ...env });
  const adapters = await pickAdapters(config, { retry: RETRY, onSourceChange: () => {} });
  const check = (access: SourceAccess) => () => adapters.source.check(access, never);
  const client = { clientId: 'client', clientSecret: 'secret' };
  const google = { apiUrl: config.YOUTUBE_API_URL, proxy: outgoingProxy(config) };
  const sound = { index: 0, startSeconds: 0, durationSeconds: 1, bytes: new Uint8Array(100), contentType: 'audio/mp4' };
  const text = { title: 'A', questions: [], jobDescription: null, expectations: [] };
  const { hireflix, videoask } = sandbox;
  return {
    'interview service': check({ source: 'rest', funnelId: 'engineering', apiKey: sandbox.funnels[0]?.apiKey ?? '' }),
    Hireflix: check({ source: 'hireflix', funnelId: hireflix.positionId, apiKey: hireflix.apiKey }),
    VideoAsk: check({ source: 'videoask', funnelId: videoask.formId, apiKey: videoask.organization }),
    download: async () => {
      const file = { url: sandbox.url + PATH, kind: 'video', name: 'a' } as const;
      const outcome = await adapters.downloader.download(file, never);
      if (outcome.status === 'failed') throw new Error(outcome.reason);
    },
    'YouTube state': async () => adapters.videoHost?.state('id', never),
    'youtube:connect': () => new YoutubeConsent(client, 'http://127.0.0.1:1/', google).exchangeCode('code'),
    'ats:connect': () => bullhornTokens(bullhornAccess(config)).tokens.consentUrl('http://127.0.0.1:1/', 'state'),
    transcription: async () => adapters.transcriber?.transcribe({ ...sound, fileName: 'part-0.m4a' }, never),
    summary: async () =>
      adapters.summarizer?.summarize({ ...text, transcript: [{ text: 'A', startSeconds: 0 }] }, never),
    mail: async () => adapters.mailer?.check(),
    webhook: () => adapters.webhookSender.send({ url: `${sandbox.receiverUrl}/crm`, headers: {}, body: '{}' }, never),
    'breached passwords': async () => adapters.breachedPasswords?.has('a password'),
  };
}

test('every call that leaves goes through the proxy, and a dead proxy is named by each', async () => {
  const sandbox = await startSandbox();
  const [dead] = await freePorts(1);
  const calls = await callsOf(sandbox, { OUTGOING_PROXY: `http://127.0.0.1:${dead}` });
  for (const [name, call] of Object.entries(calls)) {
    const message = await call().then(
      () => 'no error',
      (error: Error) => error.message,
    );
    expect([name, message]).toEqual([
      name,
      expect.stringContaining(
        "can't be reached: the outgoing proxy doesn't answer (ECONNREFUSED). Ask an admin to check OUTGOING_PROXY.",
      ),
    ]);
  }
  expect(sandbox.requests.list('/')).toEqual([]);
});

behindProxy(
  'an interview is refreshed, converted, transcribed and summarized through a proxy with a password',
  async () => {
    const proxy = await startTinyproxy(['BasicAuth ann s3cret']);
    const OUTGOING_PROXY = proxy.url.replace('//', '//ann:s3cret@');
    const { sandbox, done, read } = await setUpProcessing({ env: { OUTGOING_PROXY, ...EXCEPT_NOTHING } });
    expect((await read()).videoUrl).not.toBeNull();
    for (const step of ['convert', 'transcribe', 'summarize'] as const) await done(step);
    expect(await read()).toMatchObject({
      youtubeStatus: 'completed',
      transcriptionStatus: 'completed',
      summaryStatus: 'completed',
    });
    const hosts = new Set([sandbox.url, sandbox.google.url].map((url) => new URL(url).host));
    expect(new Set(await proxy.tunnels())).toEqual(hosts);
  },
);

behindProxy.each([
  [
    'a wrong password',
    ['BasicAuth ann s3cret'],
    'rejected our username and password (401). Ask an admin to check OUTGOING_PROXY.',
  ],
  [
    'a port that the proxy does not allow',
    ['ConnectPort 443'],
    'refused the connection (403). Ask an admin to allow the host there',
  ],
])('a proxy that refuses is named: %s', async (_, lines, expected) => {
  const proxy = await startTinyproxy(lines);
  const calls = await callsOf(await startSandbox(), { OUTGOING_PROXY: proxy.url.replace('//', '//ann:wrong@') });
  for (const call of Object.values(calls))
    await expect(call()).rejects.toThrow(`can't be reached: the outgoing proxy ${expected}`);
});

behindProxy('excepted hosts are called without the proxy', async () => {
  const proxy = await startTinyproxy();
  const sandbox = await startSandbox();
  for (const except of ['127.0.0.1', '10.0.0.0/8, 127.0.0.0/8', '']) {
    const calls = await callsOf(sandbox, { OUTGOING_PROXY: proxy.url, OUTGOING_PROXY_EXCEPT: except });
    await calls.Hireflix?.();
    await calls.download?.();
  }
  expect(await proxy.tunnels()).toEqual([]);
  const url = sandbox.url.replace('127.0.0.1', 'localhost');
  const calls = await callsOf({ ...sandbox, url }, { OUTGOING_PROXY: proxy.url, OUTGOING_PROXY_EXCEPT: '127.0.0.1' });
  await expect(calls.download?.()).rejects.toThrow('ALLOW_PRIVATE_HOSTS');
});

async function downloadsThrough(proxyUrl: string, allowPrivateHosts: string[]) {
  const sandbox = await startSandbox();
  const proxy = { url: proxyUrl, except: [] };
  const set = await setUpDownloader(
    (files) => httpDownloader({ files, retry: RETRY, allowPrivateHosts, proxy }),
    sandbox.url + PATH,
  );
  return { sandbox, ...set };
}

const BLOCKED = { status: 'failed', reason: expect.stringContaining('ALLOW_PRIVATE_HOSTS'), isRetryable: false };

behindProxy(
  'through a proxy, private addresses and names are rejected without a tunnel, also by a redirect',
  async () => {
    const proxy = await startTinyproxy();
    const { sandbox, download } = await downloadsThrough(proxy.url, ['127.0.0.1']);
    const { port } = new URL(sandbox.url);
    const names = ['localhost', 'intranet', 'metadata.google.internal', 'printer.local', 'a.localhost'];
    const addresses = ['127.0.0.2', '2130706434', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.2]'];
    for (const host of [...names, ...addresses])
      for (const scheme of ['http', 'https'])
        expect([host, await download(`${scheme}://${host}:${port}${PATH}`)]).toEqual([host, BLOCKED]);
    const redirecting = createServer((_, response) => {
      response.writeHead(302, { location: `http://localhost:${port}${PATH}` }).end();
    }).listen(0, '127.0.0.1');
    await once(redirecting, 'listening');
    onTestFinished(() => void redirecting.close().closeAllConnections());
    const { port: first } = redirecting.address() as AddressInfo;
    expect(await download(`http://127.0.0.1:${first}/`)).toEqual(BLOCKED);
    expect(new Set(await proxy.tunnels())).toEqual(new Set([`127.0.0.1:${first}`]));
  },
);

behindProxy('the proxy resolves a name that this machine does not know', async () => {
  const proxy = await startTinyproxy();
  const { download } = await downloadsThrough(proxy.url, []);
  expect(await download('https://files.example.invalid/a.mp4')).toMatchObject({
    reason: expect.stringMatching(/^The file server can't be reached: the outgoing proxy can't reach it \(50\d\)/),
    isRetryable: true,
  });
  expect(await proxy.tunnels()).toEqual(['files.example.invalid:443']);
});

behindProxy('check:config calls the configured services through the proxy, and names what fails', async () => {
  const sandbox = await startSandbox();
  const proxy = await startTinyproxy(['BasicAuth ann s3cret']);
  const check = async (env: Record<string, string>) => {
    const own = { DATA_DIR: await emptyFolder(), ...EXCEPT_NOTHING };
    const { printed, stderr, code } = await runCommandLine(['check:config'], { ...own, ...env });
    return { text: printed + stderr, code };
  };
  const OUTGOING_PROXY = proxy.url.replace('//', '//ann:s3cret@');
  const good = await check({ ...productVariables(sandbox), OUTGOING_PROXY });
  expect(good).toMatchObject({ code: 0, text: expect.stringContaining('The outgoing proxy works.') });
  expect(good.text).not.toContain('s3cret');
  const wrong = await check({ SUMMARY_URL: sandbox.summary.url, OUTGOING_PROXY: proxy.url });
  expect(wrong.code).toBe(1);
  expect(wrong.text).toContain("The service in SUMMARY_URL can't be reached: the outgoing proxy rejected our");
  expect(await check({ OUTGOING_PROXY: proxy.url })).toMatchObject({ code: 1 });
  expect(await check({ OUTGOING_PROXY, HIREFLIX_URL: 'https://api.invalid' })).toMatchObject({ code: 0 });
});
