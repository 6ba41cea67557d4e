import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Header, pack } from 'tar-stream';
import { expect, test } from 'vitest';
import { emptyFolder } from '#support/backups.ts';
import { ArchiveReader } from './archive-reader.ts';
import { MANIFEST } from './manifest.ts';

test.each<[string, Partial<Header> & { name: string }]>([
  ['a path out of the folder', { name: 'files/videos/../../x' }],
  ['an absolute path', { name: '/etc/passwd' }],
  ['a symbolic link', { name: 'files/videos/a.mp4', type: 'symlink', linkname: '/etc/passwd' }],
  ['a folder', { name: 'files/videos/a.mp4', type: 'directory' }],
  ['another path in an extended header', { name: 'files/videos/a.mp4', pax: { path: '../x' } }],
])('a backup with %s is rejected', async (_, header) => {
  const path = join(await emptyFolder(), 'hostile.tar');
  const archive = pack();
  archive.entry({ name: MANIFEST }, '{}');
  archive.entry(header, '');
  archive.finalize();
  await pipeline(archive, createWriteStream(path));
  await using reader = await ArchiveReader.open(path);
  const read = async () => {
    for await (const member of reader.members()) await member.text();
  };
  await expect(read()).rejects.toThrow('is damaged: its list of members was changed');
});
