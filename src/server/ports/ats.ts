/** A job of the company's applicant tracking system (ATS). */
export interface AtsJob {
  employerId: string;
  employerName: string;
  jobId: string;
  title: string;
  isOpen: boolean;
  /** The job's page in the ATS for people; null when the ATS has none. */
  url: string | null;
}

export interface AtsCandidate {
  id: string;
  name: string;
  email: string;
  /** The candidate's page in the ATS for people; null when the ATS has none. */
  url: string | null;
}

/** The candidate and job that a note is about. */
export interface AtsTarget {
  candidateId: string;
  employerId: string;
  jobId: string;
}

/** A note as it will be written: plain text, one paragraph a line. The adapter escapes and formats it. */
export interface AtsNote {
  text: string;
  /** Links at the end of the note, each with the words that people click. */
  links: { label: string; url: string }[];
  /** Finds the note again: `vim:<interviewId>`; in a field of its own where the ATS has one, else the last line. */
  marker: string;
}

/** A note that the ATS has stored. */
export interface StoredNote {
  id: string;
  /** For people; null when the ATS has no page of a note or its candidate. */
  url: string | null;
}

/**
 * The company's ATS. Every implementation passes test/ports/ats.test.ts.
 * All calls end within 20 s. Answers of 429 are repeated as the ATS demands before they are thrown.
 * No call except `createNote`, `replaceNote` and `removeNote` changes anything.
 */
export interface Ats {
  /** As users know it, for messages and labels: `Bullhorn`, `Lever`. */
  readonly name: string;
  /**
   * The account that notes are written as.
   * @throws UpstreamError `unauthorised` when the sign-in must be renewed by a person
   */
  check(signal: AbortSignal): Promise<{ account: string; canWrite: boolean }>;
  /** Open jobs whose title or client contains the words; at most 20, recently changed first. */
  searchJobs(search: string, signal: AbortSignal): Promise<AtsJob[]>;
  /** Null when the ATS has no such job. A closed job, or one of another employer, is returned. */
  findJob(of: { employerId: string; jobId: string }, signal: AbortSignal): Promise<AtsJob | null>;
  /** At most 10 candidates with this e-mail address who are neither deleted nor anonymised. */
  findCandidates(of: { email: string; jobId: string }, signal: AbortSignal): Promise<AtsCandidate[]>;
  /** Null when no note with this marker can be found, which an index that lags can cause. */
  findNote(target: AtsTarget, marker: string, signal: AbortSignal): Promise<StoredNote | null>;
  /**
   * One request without repetition after a time-out, a broken connection or 5xx.
   * @throws UpstreamError whose kind tells whether the note may have been stored
   */
  createNote(target: AtsTarget, note: AtsNote, signal: AbortSignal): Promise<StoredNote>;
  replaceNote(target: AtsTarget, noteId: string, note: AtsNote, signal: AbortSignal): Promise<StoredNote>;
  /** For an erasure: empties the note where deleting keeps its text, then deletes it. Succeeds when it does not exist. */
  removeNote(target: AtsTarget, noteId: string, signal: AbortSignal): Promise<void>;
}
