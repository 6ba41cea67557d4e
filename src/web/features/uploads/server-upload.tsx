import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Upload } from '#contracts/uploads.ts';
import { formatBytes } from '#web/lib/format.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/forms/button.tsx';

function useReloadUploads() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['/api/uploads'] });
}

export const useCancelUpload = () =>
  useAction('DELETE /api/uploads/:id', {
    onSuccess: useReloadUploads(),
    onError: toastFailure("Couldn't cancel the upload"),
  });

const useKeepDuplicate = () =>
  useAction('POST /api/uploads/:id/keep', {
    onSuccess: useReloadUploads(),
    onError: toastFailure("Couldn't add the recording"),
  });

/**
 * An upload that began before this page was opened. Browsers do not keep files, so the user chooses
 * the file again.
 */
export function ServerUpload({ upload }: { upload: Upload }) {
  const cancel = useCancelUpload();
  return (
    <li className="flex flex-wrap items-center gap-3 py-3" aria-label={upload.fileName}>
      <div className="min-w-0 grow">
        <p className="truncate font-medium">{upload.fileName}</p>
        {upload.state === 'duplicate' ? (
          <DuplicateNote upload={upload} />
        ) : (
          <p className="text-sm text-muted">{textOf(upload)}</p>
        )}
      </div>
      {upload.state === 'duplicate' ? (
        <DuplicateButtons upload={upload} />
      ) : (
        <Button
          size="sm"
          pending={cancel.isPending}
          aria-label={`${upload.state === 'failed' ? 'Dismiss' : 'Cancel'} ${upload.fileName}`}
          onClick={() => cancel.mutate({ params: { id: upload.id } })}
        >
          {upload.state === 'failed' ? 'Dismiss' : 'Cancel'}
        </Button>
      )}
    </li>
  );
}

function textOf({ state, received, size, problem }: Upload): string {
  if (state !== 'receiving') return problem ?? 'Checking the file...';
  return `${formatBytes(received)} of ${formatBytes(size)} sent. Choose the same file again to resume.`;
}

export const DuplicateNote = ({ upload }: { upload: Upload }) => (
  <p className="grow text-sm text-muted">
    An interview already has this recording.{' '}
    {upload.duplicateOf !== null && (
      <Link className="text-accent-ink underline" href={`/?interview=${encodeURIComponent(upload.duplicateOf)}`}>
        Open it
      </Link>
    )}
  </p>
);

/** Adds or discards a recording that an interview already has. */
export function DuplicateButtons({ upload }: { upload: Upload }) {
  const keep = useKeepDuplicate();
  const cancel = useCancelUpload();
  const input = { params: { id: upload.id } };
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" pending={keep.isPending} onClick={() => keep.mutate(input)}>
        Add anyway
      </Button>
      <Button size="sm" pending={cancel.isPending} onClick={() => cancel.mutate(input)}>
        Discard
      </Button>
    </div>
  );
}
