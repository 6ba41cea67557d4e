import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { onTestFinished } from 'vitest';

/** The files of a package in version 1.0.0: their contents by path. */
export type Packages = Record<string, Record<string, string>>;

/** Starts a registry for npm. Archives of packages in `broken` cannot be downloaded. */
export async function startRegistry(packages: Packages): Promise<{ url: string; broken: Set<string> }> {
  const broken = new Set<string>();
  const server = createServer(async ({ url: path = '', headers }, response) => {
    const [name = '', archive] = decodeURIComponent(path.slice(1)).split('/-/');
    const files = packages[name];
    if (!files || (archive && broken.has(name))) return response.writeHead(404).end('{}');
    if (archive) return response.end(await pack(name, files));
    const dist = { tarball: `http://${headers.host}/${name}/-/1.0.0.tgz` };
    return response.end(JSON.stringify({ name, versions: { '1.0.0': { name, version: '1.0.0', dist } } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, broken };
}

async function pack(name: string, files: Record<string, string>): Promise<Buffer> {
  const archive = tar.pack();
  archive.entry({ name: 'package/package.json' }, JSON.stringify({ name, version: '1.0.0' }));
  for (const [path, text] of Object.entries(files)) archive.entry({ name: `package/${path}`, mode: 0o755 }, text);
  archive.finalize();
  return gzipSync(await buffer(archive));
}
