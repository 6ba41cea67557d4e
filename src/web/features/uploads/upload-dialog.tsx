import { useQuery, useQueryClient } from '@tanstack/react-query';
import Papa from 'papaparse';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import { decodeText } from '#contracts/rules/decode-text.ts';
import { fileKey, type RecordingRow, readRecordingRow } from '#contracts/rules/recording-rows.ts';
import type { Upload } from '#contracts/uploads.ts';
import { useSession } from '#web/features/session/session.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount } from '#web/lib/format.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { ServerUpload } from './server-upload.tsx';
import { addFiles, changeRow, isSameFile, type QueuedFile, startAll, useQueuedFiles } from './upload-queue.ts';
import { UploadRow } from './upload-row.tsx';

const ACCEPTED = '.mp4,.mov,.webm,.m4a,.mp3,.csv,video/mp4,video/quicktime,video/webm,audio/mp4,audio/mpeg,text/csv';
const IS_RECORDING = /\.(mp4|m4v|mov|webm|m4a|mp3)$/i;
const POLL_MS = 1_000;

/** The differences between a CSV file and the chosen recordings. */
interface CsvReport {
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

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Upload recordings"
      description={`They become interviews of ${funnel.name}. Uploads continue while this dialog is closed.`}
      size="lg"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" disabled={ready.length === 0} onClick={() => startAll(ready)}>
            {ready.length === 0 ? 'Upload' : `Upload ${formatCount(ready.length, 'recording')}`}
          </Button>
        </>
      }
    >
      <DropZone onChoose={choose.choose} />
      <p role="status" className="mt-2 text-sm text-muted empty:hidden">
        {choose.refused.length > 0 &&
          `Not a recording: ${choose.refused.join(', ')}. Choose mp4, mov, webm, m4a or mp3.`}
      </p>
      {choose.report && <CsvAlert report={choose.report} />}
      {others.length > 0 && (
        <ul aria-label="Unfinished uploads" className="mt-4 divide-y divide-line">
          {others.map((upload) => (
            <ServerUpload key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
      <ul aria-label="Chosen recordings" className="mt-4 divide-y divide-line empty:hidden">
        {files.map((file) => (
          <UploadRow key={file.key} file={file} upload={uploads.find(({ id }) => id === file.uploadId)} />
        ))}
      </ul>
    </Dialog>
  );
}

/**
 * The server's uploads of the funnel. They are read again when a file is complete or stops, because
 * the server has the reason, and every second while one is checked.
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

/** Adds recordings. A CSV file among them fills in the details of the recordings that it names. */
function useChoose(funnelId: number, unfinished: readonly Upload[]) {
  const { user } = useSession({ ask: false });
  const files = useQueuedFiles(user?.id ?? 0).filter((one) => one.funnelId === funnelId);
  const [refused, setRefused] = useState<string[]>([]);
  const [report, setReport] = useState<CsvReport | null>(null);

  async function choose(chosen: readonly File[]): Promise<void> {
    const tables = chosen.filter(({ name }) => /\.csv$/i.test(name));
    const recordings = chosen.filter(({ name, size }) => IS_RECORDING.test(name) && size > 0);
    setRefused(chosen.filter((file) => !tables.includes(file) && !recordings.includes(file)).map(({ name }) => name));
    setReport(null);
    const fresh = recordings.filter((file) => !files.some((one) => one.file.name === file.name));
    addFiles(recordings, funnelId, unfinished);
    const [table] = tables;
    if (!table) return;
    const rows = new Map((await readCsv(table)).map((row) => [fileKey(row.fileName), row]));
    const waiting = [
      ...files.filter(({ phase }) => phase === 'ready').map(({ file }) => file),
      ...fresh.filter((file) => !unfinished.some((upload) => isSameFile(upload, file))),
    ];
    const used = new Set<string>();
    for (const file of waiting) {
      const row = rows.get(fileKey(file.name));
      if (!row) continue;
      used.add(fileKey(file.name));
      const { fileName: _, ...cells } = row;
      const filled = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ''));
      changeRow(`${funnelId} ${file.name} ${file.size} ${file.lastModified}`, filled);
    }
    setReport({
      rowsWithoutFile: [...rows].filter(([key]) => !used.has(key)).map(([, { fileName }]) => fileName),
      filesWithoutRow: waiting.filter(({ name }) => !rows.has(fileKey(name))).map(({ name }) => name),
    });
  }
  return { choose, refused, report };
}

/** Reads a CSV file with a heading for each column. Returns the rows that name a file. */
async function readCsv(file: Blob): Promise<RecordingRow[]> {
  const text = decodeText(new Uint8Array(await file.arrayBuffer()));
  const { data } = Papa.parse<Record<string, unknown>>(text, { header: true, skipEmptyLines: true });
  return data.map(readRecordingRow).filter(({ fileName }) => fileName !== '');
}

function CsvAlert({ report: { rowsWithoutFile, filesWithoutRow } }: { report: CsvReport }) {
  if (rowsWithoutFile.length + filesWithoutRow.length === 0) return null;
  return (
    <Alert title="The CSV file and the recordings differ" className="mt-4">
      {rowsWithoutFile.length > 0 && (
        <p>
          {formatCount(rowsWithoutFile.length, 'row')} without a recording: {rowsWithoutFile.join(', ')}. Choose these
          files too.
        </p>
      )}
      {filesWithoutRow.length > 0 && (
        <p>
          {formatCount(filesWithoutRow.length, 'recording')} without a row: {filesWithoutRow.join(', ')}. Enter the
          details below.
        </p>
      )}
    </Alert>
  );
}

/**
 * The whole page accepts files: the browser would open one that is dropped next to the zone and
 * leave the page. Returns true while files are dragged over the page.
 */
function useDroppedFiles(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const handle = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      // The pointer has left the window when there is no related element.
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
      <p className="mt-1 text-sm text-muted" id={`${id}-hint`}>
        mp4, mov, webm, m4a or mp3. Add a CSV with the columns file, name, email, title and date to fill in the details.
      </p>
      <Button size="sm" aria-describedby={`${id}-hint`} className="mt-3" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      {/* Browsers show their own button and a text that never changes here. */}
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
