/** What the stand-in answers instead of a transcript. */
export interface Refusal {
  status: number;
  message: string;
  code?: string;
  param?: string;
  /** The error is a text instead of an object. */
  asText?: boolean;
}

export const isRefusal = (outcome: object): outcome is Refusal => 'status' in outcome;
