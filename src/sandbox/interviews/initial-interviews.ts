import { SANDBOX_FUNNELS, type SandboxFunnel } from '#sandbox/funnels.ts';
import type { ServiceInterview } from '#sandbox/interview.ts';
import { SCRIPTS } from '#sandbox/media/scripts.ts';
import { seededRandom } from '#sandbox/random.ts';
import { applyEdgeCases } from './edge-cases.ts';
import { FAMILY_NAMES, GIVEN_NAMES } from './people.ts';
import { type Recording, readRecordings } from './recordings.ts';

/** Initial number of interviews per funnel: 66 in total. */
export const INITIAL_COUNTS: Record<string, number> = {
  engineering: 40,
  'customer-support': 14,
  nursing: 8,
  warehouse: 4,
};

const SPREAD_DAYS = 300;
const SILENT_AT = 29;
const DAY_MS = 86_400_000;

/**
 * Returns the initial interviews of every funnel, oldest first. Deterministic for the same
 * `newestAt`.
 */
export function initialInterviews(newestAt: Date): Map<string, ServiceInterview[]> {
  const recordings = readRecordings(SCRIPTS);
  return new Map(
    SANDBOX_FUNNELS.map((funnel, index) => [
      funnel.funnelId,
      applyEdgeCases(funnel.funnelId, createInterviews(funnel, index, recordings, newestAt)),
    ]),
  );
}

function createInterviews(funnel: SandboxFunnel, funnelIndex: number, all: Recording[], newestAt: Date) {
  const count = INITIAL_COUNTS[funnel.funnelId] ?? 0;
  const ofFunnel = all.filter(({ script }) => script.funnelId === funnel.funnelId);
  const spoken = ofFunnel.filter(({ script }) => !script.silent);
  const silent = ofFunnel.filter(({ script }) => script.silent);
  const random = seededRandom(2026 + funnelIndex);
  return Array.from({ length: count }, (_, index) => {
    // Each candidate's microphone is off at most once.
    const recording = silent[0] && index === SILENT_AT ? silent[0] : pick(spoken, index);
    // Newer interviews are closer together, because advertisements attract candidates over time.
    const age = ((count - 1 - index) / count) ** 1.4 * SPREAD_DAYS * DAY_MS + Math.floor(random() * DAY_MS * 0.6);
    const createdAt = new Date(newestAt.getTime() - age);
    return createInterview({ funnel, funnelIndex, index, recording, createdAt }, random);
  }).sort((a, b) => (a.createdAt ?? '').localeCompare(b.createdAt ?? ''));
}

interface InterviewInput {
  funnel: SandboxFunnel;
  funnelIndex: number;
  /** The position of the interview in its funnel, from 0. */
  index: number;
  recording: Recording;
  createdAt: Date;
}

function createInterview(
  { funnel, funnelIndex, index, recording, createdAt }: InterviewInput,
  random: () => number,
): ServiceInterview {
  const { script } = recording;
  const id = `iv_${funnel.funnelId}_${String(index + 1).padStart(3, '0')}`;
  const given = pick(GIVEN_NAMES[script.person], index * 3 + funnelIndex * 5);
  const family = pick(FAMILY_NAMES, index + funnelIndex * 11);
  const name = `${given} ${family}`;
  const recordedAt = new Date(createdAt.getTime() - 60_000 * (2 + Math.floor(random() * 40)));
  return {
    id,
    title: `${funnel.name} – ${name}`,
    description: `Recorded for ${funnel.name} at ${funnel.clientName}: ${plural(script.answers.length, 'answer')} in one take.`,
    candidate: { name, email: `${mailbox(given)}.${mailbox(family)}@example.com`, phone: phoneNumber(random) },
    recordedAt: recordedAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: new Date(createdAt.getTime() + 60_000 * Math.floor(random() * 600)).toISOString(),
    durationSeconds: recording.durationSeconds,
    url: `https://interviews.example.com/play/${id}`,
    videoUrl: `/media/videos/${id}/${recording.file}`,
    thumbnailUrl: `/media/thumbnails/${id}/${script.id}.jpg`,
    questions: questionsOf(recording),
  };
}

/** The questions that the recording answers, in bold as in the service's editor. */
const questionsOf = ({ script }: Recording) =>
  script.answers.map(({ question }, position) => ({ position, question: `<b>${question}</b>` }));

const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** Cycles through the list. */
function pick<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('cannot pick from an empty list');
  return item;
}

const mailbox = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/ø/g, 'o')
    .replace(/ı/g, 'i')
    .replace(/[^a-z]/g, '');

/** Numbers reserved for fiction (555-01xx). */
const phoneNumber = (random: () => number) =>
  `+1 ${200 + Math.floor(random() * 700)} 555 01${String(Math.floor(random() * 100)).padStart(2, '0')}`;
