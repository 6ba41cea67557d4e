/** The POSIX ustar format, as far as a backup needs it: regular files with names of at most 100 bytes. */
export const BLOCK_BYTES = 512;

export interface TarMember {
  name: string;
  size: number;
}

/** Larger sizes do not fit into the octal digits and stand in binary, as GNU tar and all that read it do. */
const MOST_OCTAL = 0o77777777777;
const NAME_BYTES = 100;
/** Offset and length of the fields (POSIX.1-2024, pax, "ustar Interchange Format"). */
const MODE = 100;
const SIZE = 124;
const MODIFIED = 136;
const CHECKSUM = 148;
const TYPE = 156;
const MAGIC = 257;

export function encodeHeader({ name, size }: TarMember, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > NAME_BYTES) throw new RangeError(`The name ${name} is too long for a backup.`);
  header.write(name, 0);
  header.write('0000600\0', MODE);
  // The two ids of the owner: nobody's.
  header.write('0000000\0', MODE + 8);
  header.write('0000000\0', MODE + 16);
  if (size > MOST_OCTAL) {
    header[SIZE] = 0x80;
    header.writeBigUInt64BE(BigInt(size), SIZE + 4);
  } else header.write(`${size.toString(8).padStart(11, '0')}\0`, SIZE);
  header.write(
    `${Math.floor(modifiedAt.getTime() / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
    MODIFIED,
  );
  header.write('0', TYPE);
  header.write('ustar\u000000', MAGIC, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM);
  return header;
}

/** Null when this is no header of a regular file in this format. */
export function decodeHeader(header: Buffer): TarMember | null {
  const isOurs =
    header.toString('latin1', MAGIC, MAGIC + 5) === 'ustar' &&
    header[TYPE] === 0x30 &&
    Number.parseInt(text(header, CHECKSUM, 8), 8) === checksumOf(header);
  if (!isOurs) return null;
  const isBinary = ((header[SIZE] ?? 0) & 0x80) !== 0;
  const size = isBinary ? Number(header.readBigUInt64BE(SIZE + 4)) : Number.parseInt(text(header, SIZE, 12), 8);
  return Number.isSafeInteger(size) && size >= 0 ? { name: text(header, 0, NAME_BYTES), size } : null;
}

/** Bytes that fill the last block of a member. */
export const paddingOf = (size: number): number => (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;

/** The sum of all bytes, those of the sum itself counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= CHECKSUM && at < CHECKSUM + 8 ? 0x20 : byte;
  return sum;
}

const text = (header: Buffer, at: number, length: number): string =>
  header
    .toString('utf8', at, at + length)
    .replace(/\0.*$/s, '')
    .trim();
