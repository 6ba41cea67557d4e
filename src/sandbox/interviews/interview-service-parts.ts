import type { FaultList } from '../faults/fault-list.ts';
import type { InterviewStore } from './interview-store.ts';
import type { Signatures } from './signatures.ts';

/** What the stand-in for the interview service answers from. */
export interface InterviewServiceParts {
  store: InterviewStore;
  faults: FaultList;
  signatures: Signatures;
  /** The service's own limit: a page has no more interviews, whatever is asked for. */
  mostPerPage: number;
}
