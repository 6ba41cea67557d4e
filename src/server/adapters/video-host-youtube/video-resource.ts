import { z } from 'zod';
import { type HostedState, type HostedVideo, PRIVACIES, type Privacy } from '#server/ports/video-host.ts';
import { badResponse } from './youtube-error.ts';

/** https://developers.google.com/youtube/v3/docs/videos sends numbers as strings. */
const number = z.coerce.number().nullish().catch(null);
const Video = z.object({
  id: z.string().min(1),
  status: z
    .object({
      uploadStatus: z.string().nullish(),
      failureReason: z.string().nullish(),
      rejectionReason: z.string().nullish(),
      privacyStatus: z.enum(PRIVACIES).nullish().catch(null),
    })
    .nullish(),
  processingDetails: z
    .object({
      processingStatus: z.string().nullish(),
      processingFailureReason: z.string().nullish(),
      processingProgress: z.object({ partsTotal: number, partsProcessed: number }).nullish().catch(null),
    })
    .nullish(),
});
type Video = z.output<typeof Video>;
const Videos = z.object({ items: z.array(Video).default([]) });

/** Endings of `YouTube couldn't process the video: …`. */
const FAILURES: Record<string, string> = {
  codec: "YouTube doesn't support its codec",
  conversion: "YouTube couldn't convert it",
  emptyFile: 'the file is empty',
  invalidFile: "YouTube doesn't support its format",
  tooSmall: 'the file is too small',
  uploadAborted: 'the upload was aborted',
  transcodeFailed: "YouTube couldn't convert it",
  streamingFailed: "YouTube couldn't prepare it for playing",
  uploadFailed: 'the upload failed',
};
/** Endings of `YouTube rejected the video: …`. */
const REJECTIONS: Record<string, string> = {
  claim: 'of a claim on its content',
  copyright: 'of a copyright infringement',
  duplicate: 'the channel already has the same video',
  inappropriate: 'of inappropriate content',
  legal: 'of a legal complaint',
  length: 'it is too long for this channel; verified channels may publish longer videos',
  termsOfUse: "of a violation of YouTube's terms of use",
  trademark: 'of a trademark infringement',
  uploaderAccountClosed: 'the account of the channel was closed',
  uploaderAccountSuspended: 'the account of the channel was suspended',
};

/** Reads the video of a finished upload. @throws UpstreamError `bad_response` */
export function hostedVideo(json: unknown, watch: (id: string) => string): HostedVideo {
  const video = Video.safeParse(json);
  if (!video.success) throw badResponse();
  const { id, status } = video.data;
  return { id, url: watch(id), privacy: status?.privacyStatus ?? null };
}

/** Reads the state of the video `id` from a list response. @throws UpstreamError `bad_response` */
export function hostedState(json: unknown, id: string, requested: Privacy): HostedState {
  const videos = Videos.safeParse(json);
  if (!videos.success) throw badResponse();
  const video = videos.data.items.find((item) => item.id === id);
  return video ? stateOf(video, requested) : { status: 'gone' };
}

function stateOf({ status, processingDetails }: Video, requested: Privacy): HostedState {
  const { uploadStatus, failureReason, rejectionReason, privacyStatus } = status ?? {};
  if (uploadStatus === 'deleted') return { status: 'gone' };
  if (uploadStatus === 'rejected')
    return { status: 'rejected', reason: `YouTube rejected the video: ${textOf(REJECTIONS, rejectionReason)}.` };
  const hasFailed = uploadStatus === 'failed' || processingDetails?.processingStatus === 'failed';
  if (hasFailed) {
    const reason = failureReason ?? processingDetails?.processingFailureReason;
    return { status: 'failed', reason: `YouTube couldn't process the video: ${textOf(FAILURES, reason)}.` };
  }
  if (uploadStatus === 'processed') {
    const privacy = privacyStatus ?? null;
    return { status: 'ready', privacy, note: privacyNote(privacy, requested) };
  }
  return { status: 'processing', fraction: fractionOf(processingDetails) };
}

/**
 * YouTube makes the videos of unverified projects private
 * (https://developers.google.com/youtube/v3/docs/videos/insert).
 */
const privacyNote = (privacy: Privacy | null, requested: Privacy) =>
  privacy === null || privacy === requested
    ? null
    : `YouTube set this video to ${privacy} instead of ${requested}, because your Google project isn't verified.`;

const textOf = (texts: Record<string, string>, reason: string | null | undefined) =>
  Object.hasOwn(texts, reason ?? '') ? texts[reason ?? ''] : 'no reason given';

function fractionOf(details: Video['processingDetails']): number | null {
  const { partsTotal, partsProcessed } = details?.processingProgress ?? {};
  if (!partsTotal || partsProcessed == null || !Number.isFinite(partsProcessed / partsTotal)) return null;
  return Math.min(1, Math.max(0, partsProcessed / partsTotal));
}
