import type { SourceInterview } from '#server/ports/interview-source.ts';
import type { UploadedFiles } from './interview-files.repo.ts';

/** A recording that staff have uploaded. */
export interface UploadedInterview extends UploadedFiles {
  id: string;
  title: string;
  candidateName: string;
  candidateEmail: string | null;
  /** Null when unknown. The current time is used then. */
  recordedDate: string | null;
  /** 0 when unknown. */
  seconds: number;
}

/**
 * Returns the interview as a service would report it, with the time of the recording: a recording
 * from before an erasure of the candidate is then rejected.
 */
export const sourceOfUploaded = (uploaded: UploadedInterview): SourceInterview => ({
  id: uploaded.id,
  title: uploaded.title,
  description: null,
  candidateName: uploaded.candidateName,
  candidateEmail: uploaded.candidateEmail,
  candidatePhone: null,
  recordedAt: uploaded.recordedDate === null ? new Date() : new Date(uploaded.recordedDate),
  createdAt: null,
  updatedAt: null,
  durationSeconds: uploaded.seconds,
  url: null,
  videoUrl: null,
  thumbnailUrl: null,
  questions: [],
  segments: [],
  transcript: null,
});
