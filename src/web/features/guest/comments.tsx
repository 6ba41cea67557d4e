import { type FormEvent, type RefObject, useState } from 'react';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import type { SharedItem } from '#contracts/shares.ts';
import { formatDuration } from '#web/lib/format.ts';
import { createStore } from '#web/lib/store.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { saveComment } from './guest-link.ts';
import { Section } from './shared-texts.tsx';

interface Props {
  item: SharedItem;
  video: RefObject<HTMLVideoElement | null>;
  onSeek: (seconds: number) => void;
  onChange: (part: Partial<SharedItem>) => void;
  onError: (error: unknown) => void;
}

interface Draft {
  body: string;
  atSeconds: number | null;
}

const NO_DRAFT: Draft = { body: '', atSeconds: null };
/** Comments that have not been sent, by candidate. */
const drafts = createStore<ReadonlyMap<number, Draft>>(new Map());

const clock = (seconds: number) => formatDuration(Math.floor(seconds));

/** A comment belongs to the moment at which its author started to type. */
export function Comments({ item, video, onSeek, onChange, onError }: Props) {
  const { body, atSeconds } = drafts.use((all) => all.get(item.n) ?? NO_DRAFT);
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const type = (text: string) => {
    const draft = { body: text, atSeconds: atSeconds ?? video.current?.currentTime ?? 0 };
    drafts.set(new Map(drafts.get()).set(item.n, text === '' ? NO_DRAFT : draft));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (body.trim() === '') return;
    setPending(true);
    setProblem(null);
    try {
      const comment = await saveComment(item.n, atSeconds ?? 0, body);
      onChange({ comments: [...item.comments, comment].sort((a, b) => a.atSeconds - b.atSeconds) });
      type('');
    } catch (error) {
      setProblem((error as Error).message);
      onError(error);
    }
    setPending(false);
  };
  return (
    <Section title={item.comments.length > 0 ? `Your comments (${item.comments.length})` : 'Your comments'}>
      <ul className="space-y-2 not-empty:mb-3">
        {item.comments.map((comment) => (
          <li key={comment.id} className="flex gap-3">
            <button
              type="button"
              aria-label={`Play from ${clock(comment.atSeconds)}`}
              onClick={() => onSeek(comment.atSeconds)}
              className="touch-beyond relative shrink-0 self-start text-accent-ink tabular-nums hover:underline"
            >
              {clock(comment.atSeconds)}
            </button>
            <p className="min-w-0 break-words whitespace-pre-line">{comment.body}</p>
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className="space-y-2">
        <Textarea
          aria-label="Add a comment"
          placeholder="Add a comment"
          rows={2}
          maxLength={SHARE_LIMITS.comment}
          value={body}
          readOnly={isPending}
          onChange={(event) => type(event.target.value)}
        />
        {problem && (
          <p role="alert" className="text-sm text-danger-ink">
            {problem}
          </p>
        )}
        <Button type="submit" size="sm" pending={isPending} disabled={body.trim() === ''}>
          {atSeconds === null ? 'Comment' : `Comment at ${clock(atSeconds)}`}
        </Button>
      </form>
    </Section>
  );
}
