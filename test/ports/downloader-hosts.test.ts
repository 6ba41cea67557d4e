import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Downloader } from '#server/ports/downloader.ts';
import { DOWNLOADERS, type DownloaderSettings, PATH, setUpDownloader } from '#support/downloads.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';

const sandbox = await sandboxOfFile();

describe.each(Object.entries(DOWNLOADERS))('downloader: %s', (_, adapter) => {
  const setUp = (settings?: DownloaderSettings) => setUpDownloader(adapter, sandbox.url + PATH, settings);
  const ranges = () => sandbox.requests.list('/media/').map(({ range }) => range);

  describe('an address in a private network', () => {
    const REFUSED = { status: 'failed', reason: expect.stringContaining('ALLOW_PRIVATE_HOSTS'), isRetryable: false };
    const port = () => new URL(sandbox.url).port;

    test.each([
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '10.0.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ])('%s is rejected without a request', async (host) => {
      const { download } = await setUp({ allowPrivateHosts: [] });
      expect(await download(`http://${host}:${port()}${PATH}`)).toEqual(REFUSED);
      expect(ranges()).toEqual([]);
    });

    test.each([['127.0.0.1'], ['127.0.0.0/8'], ['::1', '127.0.0.1']])(
      'an address in a private network is requested when %s is allowed',
      async (...hosts) => {
        const { download } = await setUp({ allowPrivateHosts: hosts });
        expect(await download()).toMatchObject({ status: 'stored' });
      },
    );

    test('an address in a private network is requested only under an allowed host name', async () => {
      const { download } = await setUp({ allowPrivateHosts: ['LocalHost'] });
      expect(await download()).toEqual(REFUSED);
      expect(await download(`http://localhost:${port()}${PATH}`)).toMatchObject({ status: 'stored' });
    });
  });

  describe('a list of allowed hosts', () => {
    const REFUSED = { status: 'failed', reason: expect.stringContaining('ALLOW_FILE_HOSTS'), isRetryable: false };
    const at = (host: string) => `http://${host}:${new URL(sandbox.url).port}${PATH}`;

    test.each([['files.example.com'], ['localhost'], ['localhost:1'], ['*.localhost']])(
      'a list of allowed hosts refuses hosts and ports that are not listed (%s) without a request',
      async (host) => {
        const { download } = await setUp({ allowPrivateHosts: [], allowFileHosts: [host] });
        expect(await download(at('localhost'))).toEqual(REFUSED);
        expect(await download(at('[::1]'))).toEqual(REFUSED);
        expect(ranges()).toEqual([]);
      },
    );

    test('a list of allowed hosts does not allow a private address', async () => {
      const { port } = new URL(sandbox.url);
      const { download } = await setUp({ allowPrivateHosts: [], allowFileHosts: [`localhost:${port}`] });
      expect(await download(at('localhost'))).toMatchObject({
        reason: expect.stringContaining('ALLOW_PRIVATE_HOSTS'),
      });
    });

    test('a list of allowed hosts applies to redirects, and not to private hosts that are allowed', async () => {
      const { download } = await setUp({ allowPrivateHosts: ['127.0.0.1'], allowFileHosts: ['files.example.com'] });
      expect(await download()).toMatchObject({ status: 'stored' });
      const target = createServer((_, response) => void response.writeHead(302, { location: at('localhost') }).end());
      target.listen(0, '127.0.0.1');
      await once(target, 'listening');
      onTestFinished(() => void target.close());
      const other = await setUp({ allowPrivateHosts: ['127.0.0.1'], allowFileHosts: ['files.example.com'] });
      expect(await other.download(`http://127.0.0.1:${(target.address() as AddressInfo).port}/`)).toEqual(REFUSED);
    });
  });

  test('URLs are admitted without a DNS lookup, unless they would be rejected anyway', async () => {
    const { files } = await setUp();
    const open = adapter(files, { allowPrivateHosts: ['10.1.0.0/16', 'nas.local'] });
    const listed = adapter(files, { allowFileHosts: ['*.example.com', 'a.example:8443'] });
    const admitted = (downloader: Downloader, urls: string[]) => urls.filter((url) => downloader.admits(url));
    const publicUrls = ['https://cdn.example.com/a', 'http://8.8.8.8:81/', 'http://[2606:4700::1]/'];
    const privateUrls = [
      'http://10.2.0.1/',
      'http://192.168.1.1/',
      'http://2130706433/',
      'http://[::1]/',
      'http://localhost./',
      'http://printer.local/',
      'http://db.internal/',
      'ftp://cdn.example.com/',
      'nonsense',
    ];
    expect(admitted(open, [...publicUrls, ...privateUrls])).toEqual(publicUrls);
    expect(admitted(open, ['http://10.1.2.3/', 'http://NAS.local/'])).toHaveLength(2);
    const urls = ['https://cdn.example.com/', 'https://example.com/', 'https://a.example:8443/', 'https://a.example/'];
    expect(admitted(listed, urls)).toEqual(['https://cdn.example.com/', 'https://a.example:8443/']);
    expect(admitted(listed, ['https://cdn.example.com:444/', 'https://notexample.com/'])).toEqual([]);
  });
});
