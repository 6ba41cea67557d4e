import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIN_PIECE_BYTES, nextPieceBytes } from '#contracts/rules/piece-size.ts';
import type { Upload } from '#contracts/uploads.ts';
import { startBareServer } from './child.ts';
import { keepAliveClient } from './keep-alive-client.ts';
import { inRounds, sized, timed } from './measure.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { type BenchRow, benchRow, median, rowOfRounds } from './row.ts';

const FILE_MB = sized(1_000, 24);
const ROUNDS = sized(5, 1);
const FILE_BYTES = FILE_MB * 2 ** 20;
const CHUNK = Buffer.alloc(64 * 1024, 7);
const FUNNEL = { name: 'Uploads', apiKey: 'none', funnelId: 'uploads', source: 'upload' };

/** Uploads to the product, compared with a server that writes one PUT to the same disk. */
export async function run(): Promise<BenchRow[]> {
  await using product = await startProduct();
  const barePath = join(product.dataDir, 'bare');
  await using bareServer = await startBareServer(barePath);
  const funnel = await product.admin.call<{ id: number }>('POST', '/api/funnels', FUNNEL);
  let id = '';
  const rate = (milliseconds: number) => FILE_MB / (milliseconds / 1_000);
  const { ours, bare, finish } = await inRounds(ROUNDS, {
    bare: async () => {
      const took = await putBare(bareServer.port);
      await discard(barePath);
      return rate(took);
    },
    ours: async (round) => {
      id = await addUpload(product, funnel.id, round);
      return rate(await timed(() => sendPieces(product, id, round)));
    },
    finish: async () => (await timed(() => untilInterview(product, id))) / 1_000,
  });
  return [
    rowOfRounds({
      name: `upload of ${FILE_MB} MB in pieces as the browser sends them, against a bare PUT`,
      ...{ ours, baseline: bare, unit: 'MB/s', aim: { atLeast: 0.7 } },
    }),
    benchRow({
      name: 'from the last byte to the interview (checksum, sync to disk), against the bare PUT',
      ...{ ours: finish, baseline: FILE_MB / median(bare), unit: 's' },
    }),
  ];
}

/** Begins like an mp4 and differs in each round, so that it is not a duplicate. */
function* bytes(size: number, beginning: Buffer): Generator<Buffer> {
  yield beginning;
  for (let left = size - beginning.length; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
}

/** Returns milliseconds. */
async function putBare(port: number): Promise<number> {
  await using client = keepAliveClient({ url: `http://127.0.0.1:${port}` });
  const headers = { 'content-length': String(FILE_BYTES) };
  const body = bytes(FILE_BYTES, CHUNK);
  return await timed(() => client.send({ path: '/', method: 'PUT', headers, body }));
}

/** Syncs and deletes a file, so that unwritten bytes do not slow down the next measurement. */
async function discard(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
  await rm(path);
}

async function addUpload(product: BenchProduct, funnelId: number, round: number): Promise<string> {
  const file = { fileName: `${round}.mp4`, size: FILE_BYTES, modifiedAt: '2026-11-22T00:00:00Z' };
  const form = { funnelId, ...file, candidateName: `Candidate ${round}` };
  return (await product.admin.call<Upload>('POST', '/api/uploads', form)).id;
}

async function sendPieces(product: BenchProduct, id: string, round: number): Promise<void> {
  await using client = keepAliveClient(product);
  let next = MIN_PIECE_BYTES;
  for (let offset = 0, length = 0; offset < FILE_BYTES; offset += length) {
    length = Math.min(next, FILE_BYTES - offset);
    const beginning = offset === 0 ? Buffer.from(`\0\0\0\x18ftypisom${round}`, 'latin1') : CHUNK;
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
    };
    const body = bytes(length, beginning);
    const path = `/api/uploads/${id}/content`;
    const took = await timed(() => client.send({ path, method: 'PATCH', headers, body, expected: 204 }));
    next = nextPieceBytes({ bytes: length, seconds: took / 1_000 });
  }
}

async function untilInterview(product: BenchProduct, id: string): Promise<void> {
  for (;;) {
    const upload = (await product.admin.call<Upload[]>('GET', '/api/uploads')).find((one) => one.id === id);
    if (upload?.state === 'done') return;
    if (upload?.state !== 'checking') throw new Error(`The upload is ${upload?.state}: ${upload?.problem}`);
    await sleep(20);
  }
}
