import type { ServiceInterview } from '#sandbox/interview.ts';
import { seededRandom } from '#sandbox/random.ts';
import { FAMILY_NAMES, GIVEN_NAMES } from './people.ts';

export interface GrowOptions {
  /** Adds a video of exactly this many bytes to each; without it they have no files. */
  videoBytes?: number;
  /** Creation time of the newest; the others precede it by a minute each. */
  newestAt?: Date;
}

const NAMES = [...GIVEN_NAMES.woman, ...GIVEN_NAMES.man];

/**
 * Creates `count` interviews. `from` is the number of the first, so repeated calls create different
 * ids.
 */
export function grownInterviews(
  funnelId: string,
  from: number,
  count: number,
  { videoBytes, newestAt = new Date('2026-01-15T12:00:00Z') }: GrowOptions,
): ServiceInterview[] {
  const random = seededRandom(from);
  return Array.from({ length: count }, (_, index) => {
    const id = `iv_${funnelId}_g${String(from + index).padStart(6, '0')}`;
    const name = `${NAMES[Math.floor(random() * NAMES.length)]} ${FAMILY_NAMES[Math.floor(random() * FAMILY_NAMES.length)]}`;
    const createdAt = new Date(newestAt.getTime() - (count - 1 - index) * 60_000).toISOString();
    return {
      id,
      title: `Generated interview ${from + index} – ${name}`,
      description: 'Generated for tests.',
      candidate: { name, email: `candidate.${from + index}@example.com`, phone: '+1 212 555 0100' },
      recordedAt: createdAt,
      createdAt,
      updatedAt: createdAt,
      durationSeconds: 30 + (index % 300),
      url: `https://interviews.example.com/play/${id}`,
      videoUrl: videoBytes === undefined ? null : `/media/generated/${videoBytes}/${id}.mp4`,
      thumbnailUrl: null,
      questions: [
        { position: 0, question: '<b>Tell us about yourself.</b>' },
        { position: 1, question: 'Why this job?' },
      ],
    };
  });
}
