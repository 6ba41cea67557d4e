/** A job of the company's applicant tracking system (ATS). */
export interface AtsJob {
  employerId: string;
  employerName: string;
  jobId: string;
  title: string;
  isOpen: boolean;
  /** The job's page in the ATS; null if there is none. */
  url: string | null;
}

export interface AtsCandidate {
  id: string;
  name: string;
  email: string;
  /** The candidate's page in the ATS; null if there is none. */
  url: string | null;
}

/** The candidate and job that a note is about. */
export interface AtsTarget {
  candidateId: string;
  employerId: string;
  jobId: string;
}

/** Plain text with one paragraph per line, which the adapter escapes and formats. */
export interface AtsNote {
  text: string;
  /** Links at the end of the note, with their labels. */
  links: { label: string; url: string }[];
  /**
   * Identifies the note: `vim:<interviewId>`, in a separate field if the ATS has one, else as the
   * last line.
   */
  marker: string;
}

/** A note stored in the ATS. */
export interface StoredNote {
  id: string;
  /** The page of the note or its candidate in the ATS; null if there is none. */
  url: string | null;
}

/** A note that is or may be in the ATS. */
export interface WrittenNote {
  connectionId: string;
  target: AtsTarget;
  /** Null if it is unknown whether the note was stored. */
  noteId: string | null;
  marker: string;
  url: string | null;
  /** When its creation began, if the outcome is unknown. ISO 8601. */
  writeBeganAt: string | null;
}

/**
 * The company's ATS. Every implementation passes test/ports/ats.test.ts.
 * All calls end within 20 s. After a 429, calls are retried as the ATS demands before they throw.
 * Only `createNote`, `replaceNote` and `removeNote` change anything.
 */
export interface Ats {
  /** For messages and labels: `Bullhorn`, `Lever`. */
  readonly name: string;
  /**
   * Returns the account that writes the notes.
   * @throws UpstreamError `unauthorised` if an administrator must renew the sign-in
   */
  check(signal: AbortSignal): Promise<{ account: string; canWrite: boolean }>;
  /**
   * Finds open jobs whose title or client contains the words; at most 20, recently changed first.
   */
  searchJobs(search: string, signal: AbortSignal): Promise<AtsJob[]>;
  /**
   * Returns null if the job does not exist. Also returns closed jobs and jobs of another employer.
   */
  findJob(of: { employerId: string; jobId: string }, signal: AbortSignal): Promise<AtsJob | null>;
  /**
   * Finds at most 10 candidates with this e-mail address who are neither deleted nor anonymized.
   */
  findCandidates(of: { email: string; jobId: string }, signal: AbortSignal): Promise<AtsCandidate[]>;
  /** Returns null if no note with this marker is found. The index may lag behind new notes. */
  findNote(target: AtsTarget, marker: string, signal: AbortSignal): Promise<StoredNote | null>;
  /**
   * Sends one request, without retries after a timeout, a broken connection or a 5xx.
   * @throws UpstreamError whose kind shows if the note may have been stored
   */
  createNote(target: AtsTarget, note: AtsNote, signal: AbortSignal): Promise<StoredNote>;
  replaceNote(target: AtsTarget, noteId: string, note: AtsNote, signal: AbortSignal): Promise<StoredNote>;
  /**
   * For erasures. Empties the note first if the ATS keeps the text of deleted notes. Succeeds if it
   * does not exist.
   */
  removeNote(target: AtsTarget, noteId: string, signal: AbortSignal): Promise<void>;
}
