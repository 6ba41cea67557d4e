import { z } from 'zod';
import { type HostedState, type HostedVideo, PRIVACIES } from '#server/ports/video-host.ts';
import { badAnswer } from './youtube-error.ts';

/** https://developers.google.com/youtube/v3/docs/videos. Numbers come as texts. */
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

const FAILURES: Record<string, string> = {
  codec: 'the video uses a codec that YouTube does not support',
  conversion: 'YouTube could not convert the video',
  emptyFile: 'the file is empty',
  invalidFile: 'the file is in a format that YouTube does not support',
  tooSmall: 'the file is too small',
  uploadAborted: 'the upload was aborted',
  transcodeFailed: 'YouTube could not convert the video',
  streamingFailed: 'YouTube could not prepare the video for playing',
  uploadFailed: 'the upload failed',
};
const REJECTIONS: Record<string, string> = {
  claim: 'somebody claims its content',
  copyright: 'of a copyright infringement',
  duplicate: 'the channel already has the same video',
  inappropriate: 'its content is seen as inappropriate',
  legal: 'of a legal complaint',
  length: 'it is longer than the channel may publish; a verified channel may publish longer ones',
  termsOfUse: "it is seen as violating YouTube's terms of use",
  trademark: 'of a trademark infringement',
  uploaderAccountClosed: 'the account of the channel was closed',
  uploaderAccountSuspended: 'the account of the channel was suspended',
};

/** The video that an upload became. @throws UpstreamError `bad_answer` */
export function hostedVideo(json: unknown, watch: (id: string) => string): HostedVideo {
  const video = Video.safeParse(json);
  if (!video.success) throw badAnswer();
  const { id, status } = video.data;
  return { id, url: watch(id), privacy: status?.privacyStatus ?? null };
}

/** The state of the video `id` in the answer to a list call for it. @throws UpstreamError `bad_answer` */
export function hostedState(json: unknown, id: string): HostedState {
  const videos = Videos.safeParse(json);
  if (!videos.success) throw badAnswer();
  const video = videos.data.items.find((item) => item.id === id);
  return video ? stateOf(video) : { status: 'gone' };
}

function stateOf({ status, processingDetails }: Video): HostedState {
  const { uploadStatus, failureReason, rejectionReason, privacyStatus } = status ?? {};
  if (uploadStatus === 'deleted') return { status: 'gone' };
  if (uploadStatus === 'rejected')
    return { status: 'rejected', reason: `YouTube rejected the video: ${because(REJECTIONS, rejectionReason)}.` };
  const hasFailed = uploadStatus === 'failed' || processingDetails?.processingStatus === 'failed';
  if (hasFailed) {
    const reason = failureReason ?? processingDetails?.processingFailureReason;
    return { status: 'failed', reason: `YouTube could not process the video: ${because(FAILURES, reason)}.` };
  }
  if (uploadStatus === 'processed') return { status: 'ready', privacy: privacyStatus ?? null };
  return { status: 'processing', fraction: fractionOf(processingDetails) };
}

const because = (words: Record<string, string>, reason: string | null | undefined) =>
  Object.hasOwn(words, reason ?? '') ? words[reason ?? ''] : 'it gives no reason';

function fractionOf(details: Video['processingDetails']): number | null {
  const { partsTotal, partsProcessed } = details?.processingProgress ?? {};
  if (!partsTotal || partsProcessed == null || !Number.isFinite(partsProcessed / partsTotal)) return null;
  return Math.min(1, Math.max(0, partsProcessed / partsTotal));
}
