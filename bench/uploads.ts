import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { MIN_PIECE_BYTES, nextPieceBytes } from '#contracts/rules/piece-size.ts';
import type { Upload } from '#contracts/uploads.ts';
import { Child } from './child.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { type BenchRow, benchRow, median, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';

const FILE_MB = sized(1_000, 24);
const ROUNDS = sized(5, 1);
const MEGABYTE = 2 ** 20;
const CHUNK = Buffer.alloc(64 * 1024, 7);

/** Uploads to the product, compared with a server that writes one PUT to the same disk. */
export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-uploads-'));
  const product = await startProduct({ dataDir: join(folder, 'data') });
  const barePath = join(folder, 'bare');
  const bare = new Child(new URL('./uploads/bare-server.ts', import.meta.url), barePath);
  const { port } = await bare.receive<{ port: number }>();
  try {
    const funnel = await product.call<{ id: number }>('POST', '/api/funnels', FUNNEL);
    const figures = { ours: [] as number[], bare: [] as number[], finish: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.bare.push(FILE_MB / (await putSeconds(port)));
      await discard(barePath);
      const { seconds, finishSeconds } = await uploadSeconds(product, funnel.id, round);
      figures.ours.push(FILE_MB / seconds);
      figures.finish.push(finishSeconds);
    }
    return rowsOf(figures);
  } finally {
    await bare.stop();
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const FUNNEL = { name: 'Uploads', apiKey: 'none', funnelId: 'uploads', source: 'upload' };

const rowsOf = ({ ours, bare, finish }: Record<'ours' | 'bare' | 'finish', number[]>): BenchRow[] => [
  rowOfRounds({
    name: `upload of ${FILE_MB} MB in pieces as the browser sends them, against a bare PUT`,
    ours,
    baseline: bare,
    unit: 'MB/s',
    aim: { atLeast: 0.7 },
  }),
  benchRow({
    name: 'from the last byte to the interview (checksum, sync to disk), against the bare PUT',
    ours: median(finish),
    baseline: FILE_MB / median(bare),
    unit: 's',
    aim: null,
  }),
];

/** Begins like an mp4 and differs in each round, so that it is not a duplicate. */
function* bytes(size: number, beginning: Buffer): Generator<Buffer> {
  yield beginning;
  for (let left = size - beginning.length; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
}

async function putSeconds(port: number): Promise<number> {
  const client = new Client(`http://127.0.0.1:${port}`);
  const began = performance.now();
  const size = FILE_MB * MEGABYTE;
  const headers = { 'content-length': String(size) };
  const { body } = await client.request({ path: '/', method: 'PUT', headers, body: bytes(size, CHUNK) as never });
  await body.dump();
  const seconds = (performance.now() - began) / 1_000;
  await client.close();
  return seconds;
}

/** Syncs and deletes a file, so that unwritten bytes do not slow down the next measurement. */
async function discard(path: string): Promise<void> {
  const file = await open(path);
  await file.sync();
  await file.close();
  await rm(path);
}

async function uploadSeconds(product: BenchProduct, funnelId: number, round: number) {
  const size = FILE_MB * MEGABYTE;
  const { id } = await product.call<Upload>('POST', '/api/uploads', {
    funnelId,
    fileName: `${round}.mp4`,
    size,
    modifiedAt: '2026-11-22T00:00:00Z',
    candidateName: `Candidate ${round}`,
  });
  const client = new Client(product.address);
  const began = performance.now();
  let next = MIN_PIECE_BYTES;
  for (let offset = 0; offset < size; ) {
    const length = Math.min(next, size - offset);
    const pieceBegan = performance.now();
    await sendPiece(client, product.cookie, { id, offset, length, round });
    next = nextPieceBytes({ bytes: length, seconds: (performance.now() - pieceBegan) / 1_000 });
    offset += length;
  }
  const received = performance.now();
  await client.close();
  await untilInterview(product, id);
  return { seconds: (received - began) / 1_000, finishSeconds: (performance.now() - received) / 1_000 };
}

interface Piece {
  id: string;
  offset: number;
  length: number;
  round: number;
}

async function sendPiece(client: Client, cookie: string, { id, offset, length, round }: Piece): Promise<void> {
  const beginning = offset === 0 ? Buffer.from(`\0\0\0\x18ftypisom${round}`, 'latin1') : CHUNK;
  const { statusCode, body } = await client.request({
    path: `/api/uploads/${id}/content`,
    method: 'PATCH',
    headers: {
      cookie,
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
    },
    body: bytes(length, beginning) as never,
  });
  const text = await body.text();
  if (statusCode !== 204) throw new Error(`A piece returned ${statusCode}: ${text}`);
}

async function untilInterview(product: BenchProduct, id: string): Promise<void> {
  for (;;) {
    const upload = (await product.call<Upload[]>('GET', '/api/uploads')).find((one) => one.id === id);
    if (upload?.state === 'done') return;
    if (upload?.state !== 'checking') throw new Error(`The upload is ${upload?.state}: ${upload?.problem}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

if (import.meta.main) printRows(await run());
