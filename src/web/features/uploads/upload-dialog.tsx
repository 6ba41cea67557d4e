import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Funnel } from '#contracts/funnels.ts';
import { fileKey } from '#contracts/rules/recording-rows.ts';
import type { Upload } from '#contracts/uploads.ts';
import { useSession } from '#web/features/session/session.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount } from '#web/lib/format.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { problemsOfRow, type RecordingTables, readRecordingTables } from './recording-tables.ts';
import { ServerUpload } from './server-upload.tsx';
import { addFiles, changeRow, type QueuedFile, readyFiles, startAll, useQueuedFiles } from './upload-queue.ts';
import { UploadRow } from './upload-row.tsx';

const ACCEPTED = '.mp4,.mov,.webm,.m4a,.mp3,.csv,video/mp4,video/quicktime,video/webm,audio/mp4,audio/mpeg,text/csv';
const IS_RECORDING = /\.(mp4|m4v|mov|webm|m4a|mp3)$/i;
const POLL_MS = 1_000;

/** CSV errors, and rows or recordings without a match. */
interface CsvReport {
  problems: string[];
  rowsWithoutFile: string[];
  filesWithoutRow: string[];
}

export function UploadDialog({ funnel, onClose }: { funnel: Funnel; onClose: () => void }) {
  const { user } = useSession({ ask: false });
  const files = useQueuedFiles(user?.id ?? 0).filter(({ funnelId }) => funnelId === funnel.id);
  const uploads = useFunnelUploads(funnel.id, files);
  const chosen = new Set(files.map(({ uploadId }) => uploadId));
  const others = uploads.filter(({ id, state }) => !chosen.has(id) && state !== 'done');
  const choose = useChoose(funnel.id, others);
  const ready = files.filter(({ phase }) => phase === 'ready').map(({ key }) => key);
  const list = useRef<HTMLUListElement>(null);

  return (
    <Dialog
      onClose={onClose}
      title="Upload recordings"
      description={`Each recording becomes an interview in ${funnel.name}. Uploads continue while this dialog is closed.`}
      size="lg"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" disabled={ready.length === 0} onClick={() => startOrFocus(ready, list.current)}>
            {ready.length === 0 ? 'Upload' : `Upload ${formatCount(ready.length, 'recording')}`}
          </Button>
        </>
      }
    >
      <DropZone onChoose={choose.choose} />
      <p role="status" className="mt-2 text-sm text-muted empty:hidden">
        {choose.empty.length > 0 && `Empty, so nothing to upload: ${listNames(choose.empty)}. Choose another copy. `}
        {choose.refused.length > 0 && `${listNames(choose.refused)} can't be uploaded. Use mp4, mov, webm, m4a or mp3.`}
      </p>
      {choose.report && <CsvAlert report={choose.report} />}
      {others.length > 0 && (
        <ul aria-label="Unfinished uploads" className="mt-4 divide-y divide-line">
          {others.map((upload) => (
            <ServerUpload key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
      <ul ref={list} aria-label="Chosen recordings" className="mt-4 divide-y divide-line empty:hidden">
        {files.map((file) => (
          <UploadRow key={file.key} file={file} upload={uploads.find(({ id }) => id === file.uploadId)} />
        ))}
      </ul>
    </Dialog>
  );
}

/** Starts uploads. Moves the focus to the first invalid field, if there is one. */
function startOrFocus(keys: readonly string[], list: Element | null): void {
  // Errors must be rendered before their field can receive the focus.
  const areValid = flushSync(() => startAll(keys));
  if (!areValid) list?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
}

/**
 * The server's uploads of the funnel. They are read again when a file is complete or stops, because
 * the server has the result or the reason, and every second while the server checks a file.
 */
function useFunnelUploads(funnelId: number, files: readonly QueuedFile[]): Upload[] {
  const queryClient = useQueryClient();
  const isWaiting = (uploads: Upload[] | null | undefined) =>
    uploads?.some(({ state }) => state === 'checking') ?? false;
  const { data } = useQuery({
    ...endpointQuery('/api/uploads'),
    staleTime: 0,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? POLL_MS : false),
  });
  const done = data?.filter(({ state }) => state === 'done').length ?? 0;
  const ended = files.filter(({ phase }) => phase === 'sent' || phase === 'stopped').map(({ uploadId }) => uploadId);
  const endedIds = ended.join(' ');
  useEffect(() => {
    if (endedIds !== '') queryClient.invalidateQueries({ queryKey: ['/api/uploads'] });
  }, [endedIds, queryClient]);
  useEffect(() => {
    if (done > 0) queryClient.invalidateQueries({ queryKey: ['/api/interviews'] });
  }, [done, queryClient]);
  return data?.filter((upload) => upload.funnelId === funnelId) ?? [];
}

/** Adds recordings. CSV files among them fill in the details of the recordings that they name. */
function useChoose(funnelId: number, unfinished: readonly Upload[]) {
  const [refused, setRefused] = useState<string[]>([]);
  const [empty, setEmpty] = useState<string[]>([]);
  const [report, setReport] = useState<CsvReport | null>(null);

  async function choose(chosen: readonly File[]): Promise<void> {
    const tables = chosen.filter(({ name }) => /\.csv$/i.test(name));
    const recordings = chosen.filter(({ name }) => IS_RECORDING.test(name));
    const namesOf = (files: readonly File[]) => files.map(({ name }) => name);
    setRefused(namesOf(chosen.filter((file) => !tables.includes(file) && !recordings.includes(file))));
    setEmpty(namesOf(recordings.filter(({ size }) => size === 0)));
    setReport(null);
    addFiles(
      recordings.filter(({ size }) => size > 0),
      funnelId,
      unfinished,
    );
    if (tables.length > 0) setReport(fillIn(await readRecordingTables(tables), readyFiles(funnelId)));
  }
  return { choose, refused, empty, report };
}

/** Changes the details of the files that have a row. Empty cells change nothing. */
function fillIn({ rows, problems }: RecordingTables, files: readonly QueuedFile[]): CsvReport {
  for (const { key, file } of files) {
    const found = rows.get(fileKey(file.name));
    if (!found) continue;
    problems.push(...problemsOfRow(found));
    const { fileName: _, ...cells } = found.row;
    changeRow(key, Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== '')));
  }
  const chosen = new Set(files.map(({ file }) => fileKey(file.name)));
  return {
    problems: [...new Set(problems)],
    rowsWithoutFile: [...rows].filter(([key]) => !chosen.has(key)).map(([, { row }]) => row.fileName),
    filesWithoutRow: files.filter(({ file }) => !rows.has(fileKey(file.name))).map(({ file }) => file.name),
  };
}

function CsvAlert({ report: { problems, rowsWithoutFile, filesWithoutRow } }: { report: CsvReport }) {
  return (
    <>
      {problems.length > 0 && (
        <Alert tone="danger" title="The CSV file needs corrections" className="mt-4">
          <ul>
            {problems.slice(0, MAX_LISTED).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          {problems.length > MAX_LISTED && <p>And {formatCount(problems.length - MAX_LISTED, 'more problem')}.</p>}
        </Alert>
      )}
      {rowsWithoutFile.length + filesWithoutRow.length > 0 && (
        <Alert title="The CSV file and the recordings differ" className="mt-4">
          {rowsWithoutFile.length > 0 && (
            <p>
              {formatCount(rowsWithoutFile.length, 'row')} without a recording: {listNames(rowsWithoutFile)}. Choose
              these files too.
            </p>
          )}
          {filesWithoutRow.length > 0 && (
            <p>
              {formatCount(filesWithoutRow.length, 'recording')} without a row: {listNames(filesWithoutRow)}. Enter the
              details below.
            </p>
          )}
        </Alert>
      )}
    </>
  );
}

/** A table may name thousands of files. */
const MAX_LISTED = 10;

const listNames = (names: readonly string[]): string =>
  names.length <= MAX_LISTED
    ? names.join(', ')
    : `${names.slice(0, MAX_LISTED).join(', ')} and ${formatCount(names.length - MAX_LISTED, 'other')}`;

/**
 * Accepts files anywhere on the page, because the browser would leave the page and open a file that
 * is dropped next to the zone. Returns true while files are dragged over the page.
 */
function useDroppedFiles(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const handle = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      // Without a related element, the pointer has left the window.
      setIsOver(event.type === 'dragover' || (event.type === 'dragleave' && event.relatedTarget !== null));
      if (event.type === 'drop') drop([...event.dataTransfer.files]);
    };
    const events = ['dragover', 'dragleave', 'drop'] as const;
    for (const name of events) addEventListener(name, handle);
    return () => {
      for (const name of events) removeEventListener(name, handle);
    };
  }, []);
  return isOver;
}

function DropZone({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isOver = useDroppedFiles(onChoose);
  return (
    <fieldset
      aria-label="Add recordings"
      className={cn('rounded-md border border-dashed border-control p-5 text-center', isOver && 'bg-hover')}
    >
      <label htmlFor={id} className="font-medium">
        Drop recordings here, or choose files
      </label>
      <p className="mt-1 text-sm text-balance text-muted" id={`${id}-hint`}>
        mp4, mov, webm, m4a or mp3, best named like “Anna Müller - Nurse 2026-03-01.mp4”. Many files? Add a CSV (file,
        name, email, title, date).
      </p>
      <Button size="sm" aria-describedby={`${id}-hint`} className="mt-3" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      {/* Hidden, because it would always show that no file is chosen: its value is cleared below. */}
      <input
        id={id}
        ref={input}
        hidden
        type="file"
        multiple
        accept={ACCEPTED}
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])]);
          // Otherwise choosing the same file again would cause no event.
          event.target.value = '';
        }}
      />
    </fieldset>
  );
}
