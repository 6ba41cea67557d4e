import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { ByteWindow } from './byte-window.ts';
import { CueList } from './cue-list.ts';
import { childOf, elementsIn, load, unsigned, variableNumber } from './ebml.ts';
import { type CaptionTrack, captionTrack } from './matroska-track.ts';

/** RFC 9559, section 5. */
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const CLUSTER_TIMESTAMP = 0xe7;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const BLOCK_DURATION = 0x9b;

const NANOSECONDS = 1e9;
const USUAL_SCALE = 1_000_000;
const WANTED = new Set([INFO, TRACKS, CLUSTER_TIMESTAMP, BLOCK_GROUP]);

/**
 * Captions of a Matroska or WebM file. They lie between the frames, so the whole file is walked, frame by frame, but the frames
 * themselves are not looked into, and without a caption track the walk ends before the first one.
 */
export async function readMatroskaCaptions(bytes: ByteWindow): Promise<TranscriptSegment[] | null> {
  const walk: Walk = { list: new CueList(), track: null, scale: USUAL_SCALE, clusterTime: 0 };
  for await (const element of elementsWithin(bytes)) {
    const content = WANTED.has(element.id) ? await load(bytes, element) : null;
    if (content) takeIn(walk, element.id, content);
    if (walk.list.isFull || (element.id === TRACKS && !walk.track)) break;
  }
  return walk.list.cues;
}

/** What has been seen so far. */
interface Walk {
  list: CueList;
  track: CaptionTrack | null;
  /** Nanoseconds of a tick. */
  scale: number;
  clusterTime: number;
}

function takeIn(walk: Walk, id: number, content: DataView): void {
  if (id === INFO) walk.scale = unsigned(childOf(content, TIMESTAMP_SCALE)) ?? walk.scale;
  if (id === CLUSTER_TIMESTAMP) walk.clusterTime = unsigned(content) ?? 0;
  if (id === TRACKS) walk.track = captionTrack(content);
  const cue = id === BLOCK_GROUP && walk.track && cueOf(content, walk.track);
  if (!cue) return;
  const seconds = (ticks: number) => ((walk.clusterTime + ticks) * walk.scale) / NANOSECONDS;
  walk.list.add(seconds(cue.start), seconds(cue.start + cue.duration), cue.text);
}

interface Cue {
  /** In ticks from the beginning of its cluster. */
  start: number;
  duration: number;
  text: string;
}

/** The elements inside the segment and inside its clusters, as one sequence. */
async function* elementsWithin(bytes: ByteWindow) {
  for await (const top of elementsIn(bytes, 0, bytes.size)) {
    if (top.id !== SEGMENT) continue;
    for await (const element of elementsIn(bytes, top.start, Math.min(top.end ?? bytes.size, bytes.size))) {
      // Without an end, the cluster's elements follow by themselves.
      if (element.id === CLUSTER && element.end !== null)
        yield* elementsIn(bytes, element.start, Math.min(element.end, bytes.size));
      else yield element;
    }
    return;
  }
}

/** A block begins with its track's number, two bytes of time within the cluster, and a byte of flags; durations are the group's. */
function cueOf(group: DataView, track: CaptionTrack): Cue | null {
  const block = childOf(group, BLOCK);
  const number = block && variableNumber(block, 0);
  if (!block || number?.value !== track.number || block.byteLength < number.length + 3) return null;
  const body = block.byteOffset + number.length + 3;
  return {
    start: block.getInt16(number.length),
    duration: unsigned(childOf(group, BLOCK_DURATION)) ?? 0,
    text: track.textOf(new Uint8Array(block.buffer, body, block.byteLength - number.length - 3)),
  };
}
