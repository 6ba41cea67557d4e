import type { ServiceInterview } from '#sandbox/interview.ts';
import type { Row } from './bullhorn-store.ts';

export const NOTE_ACTIONS = ['Outbound Call', 'Email', 'Prescreen', 'Video Interview', 'Other'];
const STATUS = 'Active';

/** Clients and jobs for the funnels of the sandbox. `BUB-4711-88` is an open job. */
const CLIENTS: readonly Row[] = [
  { id: 4711, name: 'Northwind Health' },
  { id: 4712, name: 'Parcelbird' },
  { id: 4713, name: 'St. Brigid Clinic' },
  { id: 4714, name: 'Harbour Logistics' },
  { id: 4715, name: 'Corner Coffee' },
];

const JOBS: readonly (readonly [id: number, clientId: number, title: string, state?: 'closed' | 'deleted'])[] = [
  [88, 4711, 'Senior Frontend Engineer'],
  [89, 4711, 'Frontend Engineer, Contract', 'closed'],
  [90, 4712, 'Customer Support Lead'],
  [91, 4713, 'Registered Nurse, Night Shift'],
  [92, 4714, 'Warehouse Team Lead'],
  [93, 4711, 'Product Designer'],
  [94, 4715, 'Barista'],
  [95, 4713, 'Registered Nurse, Day Shift'],
  [96, 4714, 'Forklift Driver', 'deleted'],
];

const FIRST_CANDIDATE = 1001;
const JOB_DATE = Date.parse('2026-11-02T08:00:00Z');
const HOUR_MS = 3_600_000;
/** Indexes of candidates whose address is in another field, who are duplicates, or deleted. */
const IN_SECOND_FIELD = 3;
const IN_THIRD_FIELD = 5;
const TWICE = 7;
const DELETED = 9;
const MISSING = 11;

export function initialBullhorn(interviews: readonly ServiceInterview[], others: readonly string[]) {
  const people = [
    ...interviews.flatMap(({ candidate }) =>
      candidate?.email ? [{ name: candidate.name ?? 'Unknown', email: candidate.email }] : [],
    ),
    ...others.map((email) => ({ name: email.split('@')[0] ?? '', email })),
  ];
  const candidates = people.flatMap(({ name, email }, at) => (at === MISSING ? [] : [candidate(at, name, email)]));
  const twin = candidates.find(({ id }) => id === FIRST_CANDIDATE + TWICE);
  return {
    ClientCorporation: [...CLIENTS],
    JobOrder: JOBS.map(([id, clientId, title, state]) => ({
      id,
      title,
      status: state === 'closed' ? 'Filled' : 'Accepting Candidates',
      isOpen: state !== 'closed',
      isDeleted: state === 'deleted',
      clientCorporation: CLIENTS.find((client) => client.id === clientId),
      dateLastModified: JOB_DATE + id * HOUR_MS,
    })),
    Candidate: [...candidates, ...(twin ? [{ ...twin, id: FIRST_CANDIDATE + people.length }] : [])],
    Note: [],
    JobSubmission: [],
  };
}

function candidate(at: number, name: string, email: string): Row {
  const [firstName = '', ...rest] = name.split(' ');
  const field = at === IN_SECOND_FIELD ? 'email2' : at === IN_THIRD_FIELD ? 'email3' : 'email';
  return {
    id: FIRST_CANDIDATE + at,
    firstName,
    lastName: rest.join(' '),
    name,
    ...{ email: '', email2: '', email3: '', [field]: email },
    status: STATUS,
    owner: { id: 9, name: 'Riley Recruiter' },
    isDeleted: at === DELETED,
  };
}
