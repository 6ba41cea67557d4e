/**
 * An interview as the schema has it. URLs that begin with a slash are signed when they are
 * read.
 */
export interface HireflixInterview {
  id: string;
  status: string;
  /** The time of the invitation. All times are in milliseconds since 1970. */
  createdAt: number;
  updatedAt?: number | null;
  completedAt?: number | null;
  completed?: number | null;
  expires?: number | null;
  thumbnail?: string | null;
  candidate?: Partial<Record<'email' | 'firstName' | 'lastName' | 'fullName' | 'name' | 'phone', string | null>> | null;
  url?: { private?: string | null } | null;
  externalLink?: { url?: string | null } | null;
  questions?: HireflixQuestion[] | null;
}

export interface HireflixQuestion {
  id: string;
  title?: string | null;
  description?: string | null;
  answered?: number | null;
  answer?: HireflixAnswer | null;
}

interface HireflixAnswer {
  id: string;
  url?: string | null;
  encoded?: boolean | null;
  createdAt?: number | null;
  transcription?: { languageCode: string; text: string; words: HireflixWord[] } | null;
}

/** Seconds from the start of the answer. */
export interface HireflixWord {
  text: string;
  start: number;
  end: number;
}

export interface HireflixPosition {
  id: string;
  name: string;
  description: string;
  active: boolean;
  archived: boolean;
}
