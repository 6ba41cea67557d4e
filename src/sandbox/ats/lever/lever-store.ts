import { randomUUID } from 'node:crypto';
import type { ServiceInterview } from '#sandbox/interview.ts';

export interface LeverNote {
  id: string;
  opportunityId: string;
  value: string;
  user: string | null;
  createdAt: number;
  deletedAt: number | null;
  /** Only these can be changed by the API. */
  isMadeByApi: boolean;
}

interface Opportunity {
  id: string;
  name: string;
  emails: string[];
  stage: string;
  postingId: string;
  isAnonymized: boolean;
  isConfidential: boolean;
}

/** The key, and the user that it acts as. */
export const LEVER_KEY = 'sandbox-key-lever-000000000000';
export const LEVER_USER = { id: 'user-riley', name: 'Riley Recruiter', email: 'riley@agency.example' };

const POSTING_DATE = Date.parse('2026-11-02T08:00:00Z');
const HOUR_MS = 3_600_000;
const POSTINGS = [
  { id: 'post-frontend', text: 'Senior Frontend Engineer', department: 'Engineering', state: 'published' },
  { id: 'post-contract', text: 'Frontend Engineer, Contract', department: 'Engineering', state: 'closed' },
  { id: 'post-support', text: 'Customer Support Lead', department: 'Support', state: 'published' },
  { id: 'post-nurse', text: 'Registered Nurse, Night Shift', department: 'Care', state: 'published' },
  { id: 'post-draft', text: 'Forklift Driver', department: 'Warehouse', state: 'draft' },
].map((posting, at) => ({ ...posting, updatedAt: POSTING_DATE + at * HOUR_MS }));

/** Indexes of a person with two opportunities, an anonymized and a confidential one. */
const TWICE = 7;
const ANONYMIZED = 9;
const CONFIDENTIAL = 10;

const FILLED_POSTINGS = 200;
/** Postings that fill further pages. */
const filler = Array.from({ length: FILLED_POSTINGS }, (_, at) => ({
  id: `post-filler-${at}`,
  text: `Position ${at + 1}`,
  department: 'Talent pool',
  state: 'published',
  updatedAt: POSTING_DATE - (at + 1) * HOUR_MS,
}));

/** The rows of one Lever account. */
export class LeverStore {
  readonly postings = [...POSTINGS, ...filler];
  readonly opportunities: readonly Opportunity[];
  notes: LeverNote[] = [];
  /** False after an administrator deleted the key. */
  isKeyValid = true;
  /** True if the key may see confidential data. */
  seesConfidential = false;

  constructor(interviews: readonly ServiceInterview[]) {
    const people = interviews.flatMap(({ candidate }) =>
      candidate?.email ? [{ name: candidate.name ?? 'Unknown', email: candidate.email }] : [],
    );
    const all = people.map(({ name, email }, at) => ({
      id: `opp-${at + 1}`,
      name,
      emails: [email],
      stage: 'New applicant',
      postingId: 'post-frontend',
      isAnonymized: at === ANONYMIZED,
      isConfidential: at === CONFIDENTIAL,
    }));
    const twin = all[TWICE];
    this.opportunities = twin
      ? [...all, { ...twin, id: 'opp-twin', stage: 'Phone screen', postingId: 'post-nurse' }]
      : all;
  }

  addNote(opportunityId: string, value: string, user: string | null): LeverNote {
    const base = { id: randomUUID(), opportunityId, value, user, createdAt: Date.now() };
    const note = { ...base, deletedAt: null, isMadeByApi: true };
    this.notes.push(note);
    return note;
  }

  reset(): void {
    this.notes = [];
    this.isKeyValid = true;
    this.seesConfidential = false;
  }
}
