import { CutList } from '#web/features/logs/details/cut-list.tsx';
import { DetailsSection } from '#web/features/logs/details/details-section.tsx';
import type { FieldChange, RefreshDetails } from '#web/features/logs/details/refresh-log.ts';
import { FirstFew } from '#web/ui/first-few.tsx';
import { LongText } from '#web/ui/long-text.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

type Changes = RefreshDetails['detailedChanges'];

const COLUMNS: readonly Column<[field: string, change: FieldChange]>[] = [
  { name: 'Field', cell: ([field]) => field, className: 'font-mono text-xs leading-5', width: 'w-1/5' },
  { name: 'Old Value', cell: ([, { oldValue }]) => <Value text={oldValue} />, className: 'text-muted' },
  { name: 'New Value', cell: ([, { newValue }]) => <Value text={newValue} /> },
];

/** Values come from the interview service: they are text and nothing else. */
const Value = ({ text }: { text: string | null }) =>
  text ? <LongText text={text} /> : <span className="text-faint italic">empty</span>;

/** What a refresh changed, interview by interview. */
export function FieldChanges({ changes, total }: { changes: Changes; total: number | null }) {
  const interviews = Object.entries(changes);
  return (
    <DetailsSection title={`Field Changes (${interviews.length})`}>
      {interviews.length === 0 && <p className="text-muted">No field of an interview changed.</p>}
      <FirstFew items={interviews}>
        {(shown) => (
          <ul className="flex flex-col gap-4">
            {shown.map(([interviewId, changed]) => (
              <ChangedInterview key={interviewId} interviewId={interviewId} changed={changed} />
            ))}
          </ul>
        )}
      </FirstFew>
      <CutList listed={interviews.length} total={total} />
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
      label={`Changes of ${changed.title || interviewId}`}
      columns={COLUMNS}
      rows={Object.entries(changed.fields)}
      keyOf={([field]) => field}
    />
  </li>
);
