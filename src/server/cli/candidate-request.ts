/** What the arguments say. */
export interface CandidateRequest {
  email: string;
  /** Where to write; null for standard output. */
  file: string | null;
  filesFolder: string | null;
  isConfirmed: boolean;
}
