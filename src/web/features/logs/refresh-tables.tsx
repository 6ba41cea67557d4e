import { FirstFew, LongText } from '#web/ui/layout/show-more.tsx';
import { type Column, Table } from '#web/ui/layout/table.tsx';
import { DetailsSection, TruncationNote } from './details-section.tsx';
import type { RefreshDetails, ValueChange } from './refresh-log.ts';

type SkippedInterview = RefreshDetails['skippedInterviews'][number];
type Changes = RefreshDetails['detailedChanges'];
type Failure = RefreshDetails['failedDownloads'][number];

const SKIPPED: readonly Column<SkippedInterview>[] = [
  { name: 'ID', cell: ({ interviewId }) => interviewId, className: 'font-mono text-xs leading-5', width: 'w-1/4' },
  { name: 'Title', cell: ({ title }) => <LongText text={title} /> },
  { name: 'Reason', cell: ({ reason }) => <LongText text={reason} /> },
];
const FAILURES: readonly Column<Failure>[] = [
  { name: 'ID', cell: ({ interviewId }) => interviewId, className: 'font-mono text-xs leading-5', width: 'w-1/4' },
  { name: 'File', cell: ({ kind }) => kind, className: 'capitalize', width: 'w-1/6' },
  { name: 'Reason', cell: ({ reason }) => <LongText text={reason} /> },
];

export const SkippedInterviews = ({
  skipped,
  total,
}: {
  skipped: readonly SkippedInterview[];
  total: number | null;
}) => (
  <DetailsSection title={`Skipped Interviews (${skipped.length})`}>
    {skipped.length === 0 ? (
      <p className="text-muted">Nothing skipped.</p>
    ) : (
      <FirstFew items={skipped}>
        {(shown) => (
          <Table
            label="Skipped interviews"
            columns={SKIPPED}
            rows={shown}
            // Items without an id are skipped too, so the id alone is not unique.
            keyOf={(row) => JSON.stringify(row)}
          />
        )}
      </FirstFew>
    )}
    <TruncationNote listed={skipped.length} total={total} />
  </DetailsSection>
);

/** Files that could not be downloaded. Their interviews were stored. */
export const FailedDownloads = ({ failures }: { failures: readonly Failure[] }) =>
  failures.length > 0 && (
    <DetailsSection title={`Failed Downloads (${failures.length})`}>
      <FirstFew items={failures}>
        {(shown) => (
          <Table
            label="Failed downloads"
            columns={FAILURES}
            rows={shown}
            keyOf={({ interviewId, kind }) => `${kind} ${interviewId}`}
          />
        )}
      </FirstFew>
    </DetailsSection>
  );

const CHANGES: readonly Column<[field: string, change: ValueChange]>[] = [
  { name: 'Field', cell: ([field]) => field, className: 'font-mono text-xs leading-5', width: 'w-1/5' },
  { name: 'Old Value', cell: ([, { oldValue }]) => <Value text={oldValue} />, className: 'text-muted' },
  { name: 'New Value', cell: ([, { newValue }]) => <Value text={newValue} /> },
];

const Value = ({ text }: { text: string | null }) =>
  text ? <LongText text={text} /> : <span className="text-faint italic">empty</span>;

export function FieldChanges({ changes, total }: { changes: Changes; total: number | null }) {
  const interviews = Object.entries(changes);
  return (
    <DetailsSection title={`Field Changes (${interviews.length})`}>
      {interviews.length === 0 && <p className="text-muted">No changes.</p>}
      <FirstFew items={interviews}>
        {(shown) => (
          <ul className="flex flex-col gap-4">
            {shown.map(([interviewId, changed]) => (
              <ChangedInterview key={interviewId} interviewId={interviewId} changed={changed} />
            ))}
          </ul>
        )}
      </FirstFew>
      <TruncationNote listed={interviews.length} total={total} />
    </DetailsSection>
  );
}

const ChangedInterview = ({ interviewId, changed }: { interviewId: string; changed: Changes[string] }) => (
  <li>
    <div className="mb-1.5">
      <LongText text={changed.title} />
      <p className="font-mono text-xs wrap-anywhere text-faint">{interviewId}</p>
    </div>
    <Table
      label={`Changes to ${changed.title || interviewId}`}
      columns={CHANGES}
      rows={Object.entries(changed.fields)}
      keyOf={([field]) => field}
    />
  </li>
);
