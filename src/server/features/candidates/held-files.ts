import type { Interviews } from '../interviews/interviews.service.ts';
import type { UnwantedFile } from '../media/file-removal.service.ts';
import type { HeldInterview } from './candidates.repo.ts';
import type { UnwantedVideo } from './video-removal.service.ts';

/** The files of an interview: those that it names, and those that a download may just be writing. */
export function filesOf(
  interview: HeldInterview,
  interviews: Pick<Interviews, 'fileName'>,
): Pick<UnwantedFile, 'kind' | 'name'>[] {
  const kinds = [
    { kind: 'video', url: interview.video_url, named: interview.video_file },
    { kind: 'thumbnail', url: interview.thumbnail_url, named: interview.thumbnail_file },
  ] as const;
  return kinds.flatMap(({ kind, url, named }) => {
    const wanted = url === null ? null : interviews.fileName({ interviewId: interview.id, kind, url });
    return [...new Set([named, wanted])].flatMap((name) => (name === null ? [] : [{ kind, name }]));
  });
}

/** The video at the host, which may have it before it can be watched. */
export function publishedVideo({ youtube_id, youtube_url, published }: HeldInterview): UnwantedVideo | null {
  const id = youtube_id ?? published?.video_id;
  return id ? { id, url: youtube_url ?? published?.video_url ?? '' } : null;
}
