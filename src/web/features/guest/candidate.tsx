import { type KeyboardEvent, type RefObject, useCallback, useRef } from 'react';
import type { SharedItem, SharedPage } from '#contracts/shares.ts';
import { handlePlayerKey } from '#web/features/interviews/dialogs/player/handle-player-key.ts';
import { Comments } from './comments.tsx';
import { GuestPlayer } from './guest-player.tsx';
import { Questions, Summary, Transcript } from './shared-texts.tsx';
import { VerdictForm } from './verdict-form.tsx';

interface Props {
  page: SharedPage;
  item: SharedItem;
  heading: RefObject<HTMLHeadingElement | null>;
  onChange: (part: Partial<SharedItem>) => void;
  /** Null for the last candidate. */
  onNext: (() => void) | null;
  onError: (error: unknown) => void;
}

const NO_COMMANDS = {};

export function Candidate({ page, item, heading, onChange, onNext, onError }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const seek = useCallback((seconds: number) => {
    if (video.current) video.current.currentTime = seconds;
  }, []);
  return (
    <article
      onKeyDownCapture={(event: KeyboardEvent<HTMLElement>) => handlePlayerKey(event, NO_COMMANDS)}
      className="grid grid-cols-1 gap-5 xl:grid-cols-[minmax(0,1fr)_21rem]"
    >
      <div className="min-w-0 space-y-4">
        <CandidateHead item={item} heading={heading} />
        <GuestPlayer page={page} item={item} video={video} onSeek={seek} />
        {page.mayDecide && (
          <VerdictForm item={item} sender={page.sender} onChange={onChange} onNext={onNext} onError={onError} />
        )}
      </div>
      <div className="min-w-0 space-y-3">
        <Summary text={item.summary} onSeek={seek} />
        <Questions questions={item.questions} onSeek={seek} />
        <Transcript item={item} video={video} onSeek={seek} />
        {page.mayComment && <Comments item={item} video={video} onSeek={seek} onChange={onChange} onError={onError} />}
      </div>
    </article>
  );
}

export const CandidateHead = ({ item, heading }: { item: SharedItem; heading?: Props['heading'] }) => (
  <div>
    <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold break-words outline-none">
      {item.name}
    </h2>
    {item.title !== item.name && <p className="text-muted break-words">{item.title}</p>}
    {item.contact && (
      <p className="mt-1 flex flex-wrap gap-x-4 text-sm">
        {item.contact.email && (
          <a href={`mailto:${item.contact.email}`} className="text-accent-ink underline-offset-4 hover:underline">
            {item.contact.email}
          </a>
        )}
        {item.contact.phone && <span>{item.contact.phone}</span>}
      </p>
    )}
  </div>
);
