import { FAMILY_NAMES, GIVEN_NAMES } from '#sandbox/interviews/people.ts';
import { readTranscript } from '#sandbox/interviews/recordings.ts';
import type { HireflixInterview, HireflixPosition, HireflixQuestion, HireflixWord } from './hireflix-interview.ts';

export const HIREFLIX_KEY = 'sandbox-key-hireflix';
export const HIREFLIX_MEDIA = '/hireflix-media';

export const HIREFLIX_POSITIONS: readonly HireflixPosition[] = [
  {
    id: 'pos_designer',
    name: 'Product Designer',
    description: 'Designs the pages on which candidates apply.',
    active: true,
    archived: false,
  },
  { id: 'pos_office', name: 'Office Manager', description: 'Filled last spring.', active: false, archived: true },
];

/** The questions to each candidate, with recordings that answer them. */
const QUESTIONS = [
  { title: 'Which work are you proud of?', woman: 'designer-proud-woman', man: 'designer-proud-man' },
  {
    title: 'How do you handle a disagreement?',
    woman: 'designer-disagreement-woman',
    man: 'designer-disagreement-man',
  },
  { title: 'What would you like to learn here?', woman: 'designer-learn-woman', man: 'designer-learn-man' },
] as const;

const COUNT = 12;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The interviews that differ from the others, by position in the list. */
const STATES: Record<number, { status: string; answers: number }> = {
  2: { status: 'pending', answers: 0 },
  5: { status: 'discarded', answers: QUESTIONS.length },
  7: { status: 'completed', answers: 1 },
};

/** The interviews of the first position, newest first. */
export function initialHireflix(newestAt: Date): HireflixInterview[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const createdAt = newestAt.getTime() - index * 3 * DAY_MS - HOUR_MS * 20;
    const { status, answers } = STATES[index] ?? { status: 'completed', answers: QUESTIONS.length };
    const person = index % 2 === 0 ? 'woman' : 'man';
    const id = `hfx_${String(COUNT - index).padStart(3, '0')}`;
    const completedAt = answers === QUESTIONS.length ? createdAt + 18 * HOUR_MS : null;
    return {
      id,
      status,
      createdAt,
      updatedAt: createdAt + 19 * HOUR_MS,
      completedAt,
      completed: completedAt,
      thumbnail: answers > 0 ? `${HIREFLIX_MEDIA}/${id}/${QUESTIONS[0][person]}.jpg` : null,
      candidate: candidateAt(index, person),
      url: { private: `https://app.hireflix.example/interviews/${id}` },
      externalLink: null,
      questions: QUESTIONS.map((asked, at) =>
        question(id, { ...asked, at, recording: at < answers ? asked[person] : null, from: createdAt + 17 * HOUR_MS }),
      ),
    };
  });
}

function candidateAt(index: number, person: 'woman' | 'man'): NonNullable<HireflixInterview['candidate']> {
  const firstName = GIVEN_NAMES[person][(index * 7 + 4) % GIVEN_NAMES[person].length] ?? 'Robin';
  const lastName = FAMILY_NAMES[(index + 23) % FAMILY_NAMES.length] ?? 'Doe';
  const email = `designer.${index + 1}@example.com`;
  return { firstName, lastName, fullName: `${firstName} ${lastName}`, email, phone: '+1 212 555 0123' };
}

interface QuestionInput {
  title: string;
  at: number;
  recording: string | null;
  from: number;
}

function question(interviewId: string, { title, at, recording, from }: QuestionInput): HireflixQuestion {
  const asked = { id: `q_${at + 1}`, title, description: null };
  if (recording === null) return { ...asked, answered: null, answer: null };
  const answered = from + at * 60_000;
  const { text, segments } = readTranscript(recording);
  return {
    ...asked,
    answered,
    answer: {
      id: `${interviewId}_a${at + 1}`,
      url: `${HIREFLIX_MEDIA}/${interviewId}/${recording}.mp4`,
      encoded: true,
      createdAt: answered,
      transcription: { languageCode: 'en', text, words: segments.flatMap(wordsOf) },
    },
  };
}

/** Spreads the words of a sentence evenly over its time. */
function wordsOf({ start, end, text }: HireflixWord): HireflixWord[] {
  const words = text.split(/\s+/);
  const each = (end - start) / words.length;
  return words.map((word, at) => ({ text: word, start: start + at * each, end: start + (at + 1) * each }));
}
