import type { AtsPush } from '#contracts/ats-pushes.ts';
import type { Interview, InterviewSegment, ProcessingStatus, VideoInfo } from '#contracts/interviews.ts';
import { destinationUrl } from '#contracts/rules/destination.ts';
import { STEP_NAMES, type Step } from '#contracts/rules/steps.ts';
import { type StepState, stepsOf } from '#server/db/step-columns.ts';
import type { DeletedInterview } from '#server/features/erasure/deleted-interviews.service.ts';
import { WAITING_FOR_WORKER } from '#server/jobs/live-workers.ts';
import type { WrittenNote } from '#server/ports/ats.ts';
import { filesIn, filesOf } from './interview-files.ts';
import type { DeletedRow, InterviewRow } from './interviews.repo.ts';
import type { StoredPush } from './push.repo.ts';
import type { StoredSegment } from './segments/segments.repo.ts';

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

export interface ViewOptions {
  /** The installation's link to job applications, with `{employerId}` and `{jobId}`. */
  destinationUrl: string | undefined;
  /** False for URLs of files that browsers must not request. */
  isPublicUrl: (url: string) => boolean;
  /** The ATS that is connected. */
  atsName: string | null;
  /** True while no worker runs this step. */
  isWaitingForWorker: (step: Step) => boolean;
}

const publicUrl = (url: string | null, { isPublicUrl }: Pick<ViewOptions, 'isPublicUrl'>) =>
  url !== null && isPublicUrl(url) ? url : null;

/** Browsers get remote thumbnails from us: the server that has them may be in a private network. */
export function viewInterview(row: InterviewRow, options: ViewOptions): Interview {
  const steps = stepsOf(row);
  return {
    id: row.id,
    interviewId: row.id,
    title: row.title,
    description: row.description,
    candidateName: row.candidate_name,
    candidateEmail: row.candidate_email,
    candidatePhone: row.candidate_phone,
    recordedDate: row.recorded_at.toISOString(),
    duration: row.duration_seconds,
    originalUrl: row.original_url,
    thumbnailUrl: publicUrl(row.thumbnail_url, options) && `/api/interviews/${encodeURIComponent(row.id)}/thumbnail`,
    thumbnailFile: row.thumbnail_file,
    videoUrl: publicUrl(row.video_url, options),
    videoFile: row.video_file,
    hasLocalCopy: row.video_file !== null,
    youtubeId: row.youtube_id,
    youtubeUrl: row.youtube_url,
    youtubeStatus: steps.convert.status,
    transcriptionStatus: steps.transcribe.status,
    transcriptionText: row.transcription_text,
    summaryStatus: steps.summarize.status,
    summaryText: row.summary_text,
    destinationId: row.destination_id,
    destinationUrl: row.destination_id && destinationUrl(row.destination_id, options.destinationUrl),
    clientName: row.client_name,
    funnelId: row.external_id,
    funnelIdNum: row.funnel_id,
    createdAt: row.created_at.toISOString(),
    archived: row.archived_at !== null,
    processingStatus: viewProcessing(row, steps, options),
    watched: row.watched,
    myRecommendation: row.my_recommendation,
    separateAnswers: row.separate_answers ?? null,
    push: viewPush(row.push, options.atsName),
    match: null,
  };
}

/** Null for a push into another ATS than the one that is connected. */
export const viewPush = (push: StoredPush | null | undefined, atsName: string | null): AtsPush | null =>
  !push || push.connection !== atsName
    ? null
    : {
        state: push.state,
        isChanged: push.isChanged,
        url: push.url,
        error: push.error,
        sentAt: push.sentAt === null ? null : new Date(push.sentAt).toISOString(),
      };

function viewProcessing(row: InterviewRow, steps: Record<Step, StepState>, options: ViewOptions): ProcessingStatus {
  const view = (step: Step) => {
    const { status, error, isPermanent, ...state } = steps[step];
    if (status === null) return undefined;
    const isWaiting = status === 'in-progress' && options.isWaitingForWorker(step);
    const note = isWaiting ? WAITING_FOR_WORKER : state.note;
    const updatedAt = (state.at ?? row.created_at).toISOString();
    const permanent = isPermanent && ({ permanent: true } as const);
    return { status, updatedAt, ...(error && { error }), ...permanent, ...(note && { note }) };
  };
  const [youtube, transcription, summary] = STEP_NAMES.map(view);
  const privacy = row.youtube_privacy;
  return {
    ...(youtube && { youtube: { ...youtube, progress: row.youtube_progress, ...(privacy && { privacy }) } }),
    ...(transcription && { transcription }),
    ...(summary && { summary }),
    ...(row.destination_id && {
      destination: {
        id: row.destination_id,
        url: destinationUrl(row.destination_id, options.destinationUrl),
        notes: row.destination_notes,
        added: iso(row.destination_at),
      },
    }),
    questions: row.questions,
  };
}

export const viewSegment = (row: StoredSegment): InterviewSegment => ({
  position: row.position,
  question: row.question,
  videoFile: row.video_file,
  thumbnailFile: row.thumbnail_file,
  durationSeconds: row.duration_seconds,
  startSeconds: row.start_seconds,
  isReady: row.is_ready,
});

export const viewVideo = (
  row: InterviewRow,
  segments: readonly StoredSegment[],
  options: Pick<ViewOptions, 'isPublicUrl'>,
): VideoInfo => ({
  videoUrl: publicUrl(row.video_url, options),
  videoFile: row.video_file,
  hasLocalCopy: row.video_file !== null,
  candidateName: row.candidate_name,
  candidateEmail: row.candidate_email,
  segments: segments.map(viewSegment),
});

export function viewDeletedInterview(row: DeletedRow, notes: readonly WrittenNote[]): DeletedInterview {
  const files = filesOf(row).map(({ name }) => name);
  const fileUrls = [row, ...row.segments].flatMap(filesIn).map(({ url }) => url);
  const urls = [row.original_url, ...fileUrls].filter((url) => url !== null);
  return {
    id: row.id,
    name: row.candidate_name,
    email: row.candidate_email,
    phone: row.candidate_phone,
    texts: [...files, ...urls],
    video: row.video_id ? { id: row.video_id, url: row.hosted_url ?? '' } : null,
    notes,
  };
}
