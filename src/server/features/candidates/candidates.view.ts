import { stepsOf } from '#server/db/step-columns.ts';
import type { StoredDeletedInterview } from '#server/features/erasure/deleted-interviews.service.ts';
import type { UnwantedVideo } from '#server/features/erasure/video-removal.service.ts';
import type { EntryContent, StoredLogEntry } from '#server/features/logs/mentions.service.ts';
import type { NoticeAbout } from '#server/features/notices/notices.service.ts';
import type { SharedWith } from '#server/features/shares/candidate-shares.service.ts';
import type { CandidateUpload } from '#server/features/uploads/candidate-uploads.service.ts';
import type { CandidateInterview, FoundInterview, Subject } from './candidates.repo.ts';

/** Everything that is stored about a candidate. */
export interface CandidateData {
  interviews: readonly CandidateInterview[];
  deleted: readonly StoredDeletedInterview[];
  /** Finished uploads are kept for an hour, so some of these are interviews already. */
  uploads: readonly CandidateUpload[];
  sharedWith: readonly SharedWith[];
  notices: readonly NoticeAbout[];
  logMentions: readonly ReturnType<typeof viewMention>[];
}

/** The data stored about a candidate, as JSON. Dates are ISO 8601. */
export type CandidateExport = ReturnType<typeof viewCandidate>;

export const viewCandidate = (
  { emails, interviewIds }: Subject,
  { interviews, deleted, uploads, sharedWith, notices, logMentions }: CandidateData,
) => ({
  exportedAt: new Date().toISOString(),
  /** The addresses and ids of the request. */
  emails: emails.map((email) => email.trim()),
  interviewIds,
  interviews: interviews.map(viewInterview),
  /** Interviews that were deleted with their funnel. */
  deletedInterviews: deleted.map(viewDeleted),
  /** Recordings that are not interviews yet. */
  uploads: uploads.filter(({ id }) => !interviews.some((interview) => interview.id === id)).map(viewUpload),
  /** Recipients of links, and what they did. */
  sharedWith,
  /** The notices that colleagues received about the interviews. */
  notices,
  logMentions,
});

/** An interview that a search found. */
export interface FoundCandidate {
  id: string;
  candidate: { name: string | null; email: string | null; phone: string | null };
  /** Null after its deletion, and for a recording that is still being uploaded. */
  interview: { title: string; funnel: string; recordedAt: Date } | null;
  deletedAt: Date | null;
}

export const viewFound = ({ id, name, email, phone, ...interview }: FoundInterview): FoundCandidate => ({
  id,
  candidate: { name, email, phone },
  interview,
  deletedAt: null,
});

export const viewDeleted = (deleted: StoredDeletedInterview): FoundCandidate & { video: UnwantedVideo | null } => ({
  id: deleted.id,
  candidate: { name: deleted.name, email: deleted.email, phone: deleted.phone },
  interview: null,
  deletedAt: deleted.deletedAt,
  video: deleted.video,
});

export const viewIncoming = ({ id, candidate_name, candidate_email }: CandidateUpload): FoundCandidate => ({
  id,
  candidate: { name: candidate_name, email: candidate_email, phone: null },
  interview: null,
  deletedAt: null,
});

const viewUpload = (row: CandidateUpload) => ({
  id: row.id,
  fileName: row.file_name,
  candidate: { name: row.candidate_name, email: row.candidate_email },
  title: row.title,
  recordedAt: row.recorded_at,
  createdAt: row.created_at,
});

const viewInterview = (row: CandidateInterview) => ({
  id: row.id,
  title: row.title,
  description: row.description,
  candidate: { name: row.candidate_name, email: row.candidate_email, phone: row.candidate_phone },
  funnel: { name: row.funnel_name, funnelId: row.funnel_external_id, clientName: row.client_name },
  recordedAt: row.recorded_at,
  createdAt: row.created_at,
  updatedAtSource: row.source_updated_at,
  durationSeconds: row.duration_seconds,
  originalUrl: row.original_url,
  video: { url: row.video_url, file: row.video_file },
  thumbnail: { url: row.thumbnail_url, file: row.thumbnail_file },
  questions: row.questions,
  segments: row.segments.map(viewSegment),
  ...viewSteps(row),
  destination: { id: row.destination_id, notes: row.destination_notes, at: row.destination_at },
  archivedAt: row.archived_at,
  ...viewOpinions(row),
});

function viewSteps(row: CandidateInterview) {
  const { convert, transcribe, summarize } = stepsOf(row);
  return {
    publication: {
      status: convert.status,
      videoId: row.youtube_id ?? row.published?.video_id ?? null,
      url: row.youtube_url ?? row.published?.video_url ?? null,
      privacy: row.youtube_privacy,
      error: convert.error,
      note: convert.note,
      at: convert.at,
    },
    transcript: {
      status: transcribe.status,
      text: row.text?.transcription_text ?? null,
      source: row.text?.transcript_source ?? null,
      segments: row.text?.segments ?? null,
      error: transcribe.error,
      note: transcribe.note,
      at: transcribe.at,
    },
    summary: {
      status: summarize.status,
      text: row.text?.summary_text ?? null,
      structure: row.text?.summary_structure ?? null,
      error: summarize.error,
      note: summarize.note,
      at: summarize.at,
    },
  };
}

const viewSegment = (row: CandidateInterview['segments'][number]) => ({
  question: row.question,
  durationSeconds: row.duration_seconds,
  startSeconds: row.start_seconds,
  video: { url: row.video_url, file: row.video_file },
  thumbnail: { url: row.thumbnail_url, file: row.thumbnail_file },
  answerText: row.answer_text,
  transcript: row.transcript,
});

/** Colleagues' reviews, comments and pushes about an interview, with their names. */
const viewOpinions = ({ reviews, comments, pushes }: CandidateInterview) => ({
  reviews: reviews.map(viewReview),
  comments,
  sentToAts: pushes,
});

/** With the labels of the criteria instead of their keys. */
function viewReview(row: CandidateInterview['reviews'][number]) {
  const labels = new Map(row.criteria.map(({ key, label }) => [key, label]));
  const labeled = (ratings: Record<string, number | null>) =>
    Object.entries(ratings).map(([key, rating]) => ({ criterion: labels.get(key) ?? key, rating }));
  return {
    author: row.author,
    submittedAt: row.submitted_at,
    recommendation: row.recommendation,
    ratings: labeled(row.ratings),
    firstRatings: row.first_ratings && labeled(row.first_ratings),
    note: row.note,
  };
}

/** `picked` are the parts of the entry that mention the candidate. */
export const viewMention = (entry: StoredLogEntry, picked: Partial<EntryContent>) => ({
  at: entry.created_at,
  type: entry.type,
  action: entry.action,
  status: entry.status,
  ...(picked.summary !== undefined && { summary: picked.summary }),
  ...(picked.details != null && { details: picked.details }),
  ...(picked.metadata != null && { metadata: picked.metadata }),
});
