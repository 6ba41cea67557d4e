import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Comment } from '#contracts/comments.ts';
import { forgetDraft, hasDraft } from '#web/features/drafts/use-draft.ts';
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { useIsPending } from '#web/lib/after-responses.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDuration } from '#web/lib/format.ts';
import { useLive } from '#web/lib/live.ts';
import { createStore } from '#web/lib/store.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { MentionField } from './mention-field.tsx';

/** The number of comments stored since the page was loaded. */
const storedComments = createStore(0);

interface Props {
  interviewId: string;
  video: RefObject<HTMLVideoElement | null>;
  onSeek: (seconds: number) => void;
}

/** Comments by moment. Colleagues' appear once the user may read their reviews. */
export function CommentsPanel({ interviewId, video, onSeek }: Props) {
  const queryClient = useQueryClient();
  const query = endpointQuery('/api/interviews/:id/comments', { params: { id: interviewId } });
  const { data, error } = useQuery(query);
  const reload = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  useLive((message) => {
    if (message.type === 'comments-changed' && message.data.interviewId === interviewId) reload();
  });
  const draftKey = useDraftKey('comment');
  // The user may look at another tab and come back while a comment is being sent.
  const isAdding = useIsPending('POST /api/interviews/:id/comments', interviewId);
  const { add, update, remove } = useCommentActions(draftKey, reload);
  const [edited, setEdited] = useState<string | null>(null);
  /** The comment that was edited last, whose button has the focus again. */
  const [last, setLast] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  if (!data && error) return <p className="p-3 text-danger-ink">{error.message}</p>;
  if (!data) return <Loading>Loading the comments...</Loading>;
  return (
    <div className="flex min-h-0 grow flex-col">
      <ul
        ref={list}
        tabIndex={-1}
        className="min-h-0 grow divide-y divide-line overflow-y-auto px-3 outline-none max-lg:max-h-64"
      >
        {data.length === 0 && <li className="py-3 text-sm text-muted">No comments yet.</li>}
        {data.map((comment) => (
          <li key={comment.id} className="py-2 text-sm">
            {edited === comment.id ? (
              <Writing
                label="Change the comment"
                interviewId={interviewId}
                draftKey={`${draftKey} ${comment.id}`}
                initial={comment.body}
                isPending={update.isPending}
                onSave={(body) =>
                  update.mutate({ params: { id: comment.id }, body: { body } }, { onSuccess: () => setEdited(null) })
                }
                onCancel={() => {
                  forgetDraft(`${draftKey} ${comment.id}`);
                  setEdited(null);
                }}
              />
            ) : (
              <OneComment
                comment={comment}
                onSeek={onSeek}
                takesFocus={comment.id === last}
                onEdit={() => {
                  setEdited(comment.id);
                  setLast(comment.id);
                }}
                onDelete={() => {
                  // The button disappears: Tab continues in the list.
                  list.current?.focus();
                  remove.mutate({ params: { id: comment.id } });
                }}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="border-t border-line p-3">
        <Writing
          label="Comment"
          interviewId={interviewId}
          draftKey={`${draftKey} on ${interviewId}`}
          momentOf={() => video.current?.currentTime ?? 0}
          isPending={isAdding}
          onSave={(body, atSeconds) => add.mutate({ params: { id: interviewId }, body: { body, atSeconds } })}
        />
      </div>
    </div>
  );
}

function useCommentActions(draftKey: string, reload: () => Promise<void>) {
  const onError = toastFailure('Failed to save the comment');
  const add = useAction('POST /api/interviews/:id/comments', {
    onSuccess: (_comment, { params: { id } }) => {
      forgetDraft(`${draftKey} on ${id}`);
      storedComments.set(storedComments.get() + 1);
      return reload();
    },
    onError,
  });
  const update = useAction('PUT /api/comments/:id', {
    onSuccess: (_comment, { params: { id } }) => {
      forgetDraft(`${draftKey} ${id}`);
      storedComments.set(storedComments.get() + 1);
      return reload();
    },
    onError,
  });
  const remove = useAction('DELETE /api/comments/:id', { onSuccess: reload, onError });
  return { add, update, remove };
}

interface OneCommentProps {
  comment: Comment;
  onSeek: (seconds: number) => void;
  /** Moves the focus to the button Edit when it appears. */
  takesFocus: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

function OneComment({ comment, onSeek, takesFocus, onEdit, onDelete }: OneCommentProps) {
  const { author, isMine, body, atSeconds, editedAt } = comment;
  const moment = formatDuration(Math.floor(atSeconds));
  return (
    <>
      <div className="flex items-center gap-2">
        <Button size="sm" aria-label={`Play at ${moment}`} className="tabular-nums" onClick={() => onSeek(atSeconds)}>
          {moment}
        </Button>
        <span className="min-w-0 grow truncate font-medium">
          {author}
          {editedAt && <span className="font-normal text-muted"> · edited</span>}
        </span>
        {isMine && (
          <>
            <Button size="icon-sm" variant="ghost" aria-label="Edit comment" autoFocus={takesFocus} onClick={onEdit}>
              <Pencil aria-hidden />
            </Button>
            <Button size="icon-sm" variant="ghost" aria-label="Delete comment" onClick={onDelete}>
              <Trash2 aria-hidden />
            </Button>
          </>
        )}
      </div>
      <p className="mt-1 break-words whitespace-pre-wrap">{body}</p>
    </>
  );
}

interface WritingProps {
  label: string;
  interviewId: string;
  /** Where the tab stores unsaved text (`useDraftKey`). */
  draftKey: string;
  initial?: string;
  /** The moment at which typing begins. */
  momentOf?: () => number;
  /** While the comment is being sent, it cannot be changed. A failure keeps it. */
  isPending: boolean;
  onSave: (body: string, atSeconds: number) => void;
  onCancel?: () => void;
}

function Writing({ label, interviewId, draftKey, initial = '', momentOf, isPending, onSave, onCancel }: WritingProps) {
  const { form, change, discard } = useFormDraft(draftKey, { body: initial, began: '' });
  const { body, began } = form;
  const stored = storedComments.use();
  const clearStored = useEffectEvent(() => {
    // The draft is deleted when its comment is stored.
    if (!hasDraft(draftKey)) discard();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a comment was stored
  useEffect(() => clearStored(), [stored]);
  const type = (text: string) =>
    change({ body: text, began: text === '' || !momentOf ? '' : began || String(momentOf()) });
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (body.trim() !== '') onSave(body, Number(began));
      }}
    >
      <MentionField
        label={label}
        interviewId={interviewId}
        value={body}
        onChange={type}
        readOnly={isPending}
        isEdit={onCancel !== undefined}
      />
      <div className="flex items-center gap-2">
        <Button type="submit" size="sm" pending={isPending} disabled={body.trim() === ''}>
          {began === '' ? 'Save comment' : `Comment at ${formatDuration(Math.floor(Number(began)))}`}
        </Button>
        {onCancel && (
          <Button size="sm" variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
