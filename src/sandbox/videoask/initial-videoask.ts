import { FAMILY_NAMES, GIVEN_NAMES } from '#sandbox/interviews/people.ts';
import { readSeconds, readTranscript } from '#sandbox/interviews/recordings.ts';

export const VIDEOASK_ORGANIZATION = '5d0f2c1e-7a44-4c63-9a51-0e6c1f5b7a10';
export const VIDEOASK_CLIENT = {
  clientId: 'sandbox-videoask-client',
  clientSecret: 'sandbox-videoask-secret',
  refreshToken: 'sandbox-videoask-refresh',
};

export interface VideoAskContact {
  contact_id: string;
  name?: string | null;
  email?: string | null;
  phone_number?: string | null;
  status: string;
  created_at?: string | null;
  updated_at?: string | null;
  thumbnail?: string | null;
}

export interface VideoAskAnswer {
  answer_id: string;
  question_id: string;
  contact_id: string;
  type: string;
  media_type?: string | null;
  /** A path that begins with a slash gets the URL of the sandbox. */
  media_url?: string | null;
  media_duration?: number | null;
  transcription?: string | null;
  input_text?: string | null;
  created_at?: string;
  share_url?: string | null;
  transcode_status?: string | null;
}

export const VIDEOASK_FORM = {
  form_id: 'f7barista',
  title: 'Barista',
  share_url: 'https://www.videoask.example/f7barista',
  questions: [
    { question_id: 'vq_1', metadata: { text: 'Tell us about a difficult guest.' }, type: 'standard' },
    { question_id: 'vq_2', metadata: { text: 'Which shifts can you work?' }, type: 'standard' },
    { question_id: 'vq_3', metadata: { text: 'What makes a good team?' }, type: 'standard' },
  ],
} as const;

const COUNT = 9;
/** Positions in the list of an unfinished contact and of one with a spoken answer. */
const UNFINISHED_AT = 3;
const SPOKEN_AT = 1;
const DAY_MS = 86_400_000;

interface VideoAskData {
  contacts: VideoAskContact[];
  answers: VideoAskAnswer[];
}

/** The contacts of the form and their answers, newest first. */
export function initialVideoAsk(newestAt: Date): VideoAskData {
  const contacts = Array.from({ length: COUNT }, (_, index) => contactAt(index, newestAt));
  return { contacts, answers: contacts.flatMap((contact, index) => answersOf(contact, index)) };
}

/** With microseconds, as the service sends them. */
const at = (time: number) => new Date(time).toISOString().replace('Z', '123Z');

/** One person gives all answers of a contact. */
const personAt = (index: number) => (index % 2 === 0 ? 'man' : 'woman');

function contactAt(index: number, newestAt: Date): VideoAskContact {
  const finishedAt = newestAt.getTime() - index * 4 * DAY_MS;
  const given = GIVEN_NAMES[personAt(index)][(index * 5 + 6) % GIVEN_NAMES.man.length];
  const family = FAMILY_NAMES[(index + 11) % FAMILY_NAMES.length];
  return {
    contact_id: `va_${String(COUNT - index).padStart(3, '0')}`,
    name: `${given} ${family}`,
    email: `barista.${index + 1}@example.com`,
    phone_number: '+1 212 555 0155',
    status: index === UNFINISHED_AT ? 'in_progress' : 'completed',
    created_at: at(finishedAt - 600_000),
    updated_at: at(finishedAt),
    thumbnail: `/media/thumbnails/barista-guest-${personAt(index)}.jpg`,
  };
}

function answersOf(contact: VideoAskContact, index: number): VideoAskAnswer[] {
  const answer = (question: number, part: Partial<VideoAskAnswer>): VideoAskAnswer => ({
    answer_id: `${contact.contact_id}_a${question}`,
    question_id: `vq_${question}`,
    contact_id: contact.contact_id,
    type: 'video',
    share_url: `https://www.videoask.example/share/${contact.contact_id}/${question}`,
    transcode_status: 'completed',
    ...(contact.updated_at && { created_at: contact.updated_at }),
    ...part,
  });
  const first = answer(1, recorded(contact, `barista-guest-${personAt(index)}`));
  if (contact.status !== 'completed') return [first];
  const shifts = 'Mornings from Monday to Friday.\u0001';
  const second =
    index === SPOKEN_AT
      ? { type: 'audio', media_type: 'audio', transcription: shifts, media_url: null, media_duration: 4 }
      : { type: 'text', media_type: null, input_text: shifts, media_url: null, media_duration: null };
  return [first, answer(2, second), answer(3, recorded(contact, `barista-team-${personAt(index)}`))];
}

const recorded = ({ contact_id }: VideoAskContact, recording: string): Partial<VideoAskAnswer> => ({
  media_type: 'video',
  media_url: `/media/videos/${contact_id}/${recording}.mp4`,
  media_duration: readSeconds(recording),
  transcription: readTranscript(recording).text,
});
