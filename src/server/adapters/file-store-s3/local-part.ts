import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expectRoomForUploads } from '#server/adapters/file-store-local/disk-room.ts';
import { type CompleteFile, LocalPartialFile } from '#server/adapters/file-store-local/local-partial-file.ts';

type Send = (complete: CompleteFile) => Promise<void>;

/** An upload part's bytes until they are in the bucket. */
export interface LocalPart {
  file: LocalPartialFile;
  /** Passes all bytes to `send`, and closes the file. */
  finish(send: Send): Promise<void>;
}

/** The file has no name while it is open, so a killed process leaves nothing. */
export async function openLocalPart(folder: string): Promise<LocalPart> {
  const path = join(folder, `part-${randomUUID()}`);
  let publish: Send = async () => {};
  await mkdir(folder, { recursive: true });
  const file = await LocalPartialFile.open({
    path,
    name: 'part',
    directory: folder,
    expectRoom: () => expectRoomForUploads(folder),
    publish: (_, complete) => publish(complete),
    onClosed: () => {},
  });
  await rm(path, { force: true });
  return {
    file,
    finish(send) {
      publish = send;
      return file.commit();
    },
  };
}

/** Divides chunks after `bytes` bytes. */
export function splitChunks(chunks: readonly Uint8Array[], bytes: number): [Uint8Array[], Uint8Array[]] {
  const [before, after]: [Uint8Array[], Uint8Array[]] = [[], []];
  for (const chunk of chunks) {
    const fitting = Math.min(bytes, chunk.length);
    if (fitting > 0) before.push(chunk.subarray(0, fitting));
    if (fitting < chunk.length) after.push(chunk.subarray(fitting));
    bytes -= fitting;
  }
  return [before, after];
}
