import { ArrowLeftRight, X } from 'lucide-react';
import { Link } from 'wouter';
import type { RecordingRow } from '#contracts/rules/recording-rows.ts';
import type { Upload } from '#contracts/uploads.ts';
import { formatBytes } from '#web/lib/format.ts';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { DuplicateButtons, DuplicateNote, useCancelUpload } from './server-upload.tsx';
import { changeRow, type QueuedFile, removeFile, startFile } from './upload-queue.ts';

type FieldName = Exclude<keyof RecordingRow, 'fileName'>;

const FIELDS: { name: FieldName; label: string; type: string; required?: boolean }[] = [
  { name: 'candidateName', label: 'Candidate name', type: 'text', required: true },
  { name: 'candidateEmail', label: 'Email', type: 'email' },
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'recordedDate', label: 'Recorded on', type: 'date' },
];

/**
 * A chosen file: its details until the upload starts, then the progress. `upload` is the upload on
 * the server.
 */
export function UploadRow({ file, upload }: { file: QueuedFile; upload: Upload | undefined }) {
  const cancelUpload = useCancelUpload();
  const isDone = upload?.state === 'done';
  const isRefused = upload?.state === 'failed';
  const remove = () => {
    removeFile(file.key);
    if (file.uploadId && !isDone) cancelUpload.mutate({ params: { id: file.uploadId } });
  };
  const isEditable = file.phase === 'ready';
  return (
    <li className="py-4" aria-label={file.file.name}>
      <div className="flex items-center gap-3">
        <p className="min-w-0 grow">
          <span className="block truncate font-medium">{file.file.name}</span>
          <span className="text-sm text-muted">{formatBytes(file.file.size)}</span>
        </p>
        {file.phase === 'stopped' && !isRefused && (
          <Button size="sm" onClick={() => startFile(file.key)}>
            Retry
          </Button>
        )}
        <Button
          size="icon-sm"
          variant="ghost"
          aria-label={`${isEditable || isDone || isRefused ? 'Remove' : 'Cancel'} ${file.file.name}`}
          onClick={remove}
        >
          <X aria-hidden />
        </Button>
      </div>
      {isEditable ? <Details file={file} /> : <State file={file} upload={upload} />}
    </li>
  );
}

const Details = ({ file: { key, row, problems } }: { file: QueuedFile }) => (
  <div className="mt-3 grid gap-3 sm:grid-cols-2">
    {FIELDS.map(({ name, label, type, required = false }) => (
      <Field key={name} label={label} required={required} error={problems[name] && `${label} ${problems[name]}`}>
        {(control) => (
          <Input
            {...control}
            type={type}
            // A CSV file may also contain the time, which the control does not show.
            value={type === 'date' ? row[name].slice(0, 10) : row[name]}
            onChange={(event) => changeRow(key, { [name]: event.target.value })}
          />
        )}
      </Field>
    ))}
    {row.title !== '' && (
      <Button
        size="sm"
        variant="ghost"
        className="justify-self-start"
        onClick={() => changeRow(key, { candidateName: row.title, title: row.candidateName })}
      >
        <ArrowLeftRight aria-hidden />
        Swap name and title
      </Button>
    )}
  </div>
);

function State({ file, upload }: { file: QueuedFile; upload: Upload | undefined }) {
  if (upload?.state === 'duplicate')
    return (
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <DuplicateNote upload={upload} />
        <DuplicateButtons upload={upload} />
      </div>
    );
  if (upload?.state === 'failed')
    return <Problem text={upload.problem ?? 'This file was rejected. Check it, and upload it again.'} />;
  if (upload?.state === 'done') return <Added upload={upload} />;
  if (file.phase === 'sent') return <p className="mt-1 text-sm">{upload?.problem ?? 'Checking the file...'}</p>;
  return (
    <>
      <Progress label={`Upload of ${file.file.name}`} percent={file.percent} className="mt-2" />
      {file.error ? (
        <Problem text={file.error} />
      ) : (
        <p className="mt-1 text-sm text-muted">
          {file.phase === 'waiting' ? 'Waiting for its turn' : `${file.percent}%`}
        </p>
      )}
    </>
  );
}

/** An upload keeps its id as an interview. */
const Added = ({ upload: { id } }: { upload: Upload }) => (
  <p className="mt-1 text-sm">
    Added.{' '}
    <Link href={`/?interview=${encodeURIComponent(id)}`} className="font-medium text-accent-ink underline">
      Open
    </Link>
  </p>
);

const Problem = ({ text }: { text: string }) => (
  <p role="alert" className="mt-1 text-sm text-danger-ink">
    {text}
  </p>
);
