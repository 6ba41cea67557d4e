import { CutList } from '#web/features/logs/details/cut-list.tsx';
import { DetailsSection } from '#web/features/logs/details/details-section.tsx';
import type { RefreshDetails } from '#web/features/logs/details/refresh-log.ts';
import { FirstFew } from '#web/ui/first-few.tsx';
import { LongText } from '#web/ui/long-text.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

type Skipped = RefreshDetails['skippedInterviews'][number];
type Failure = RefreshDetails['failedDownloads'][number];

const SKIPPED: readonly Column<Skipped>[] = [
  { name: 'ID', cell: ({ interviewId }) => interviewId, className: 'font-mono text-xs leading-5', width: 'w-1/4' },
  { name: 'Title', cell: ({ title }) => <LongText text={title} /> },
  { name: 'Reason', cell: ({ reason }) => <LongText text={reason} /> },
];
const FAILURES: readonly Column<Failure>[] = [
  { name: 'ID', cell: ({ interviewId }) => interviewId, className: 'font-mono text-xs leading-5', width: 'w-1/4' },
  { name: 'File', cell: ({ kind }) => kind, className: 'capitalize', width: 'w-1/6' },
  { name: 'Reason', cell: ({ reason }) => <LongText text={reason} /> },
];

export const SkippedInterviews = ({ skipped, total }: { skipped: readonly Skipped[]; total: number | null }) => (
  <DetailsSection title={`Skipped Interviews (${skipped.length})`}>
    {skipped.length === 0 ? (
      <p className="text-muted">No interview was skipped.</p>
    ) : (
      <FirstFew items={skipped}>
        {(shown) => (
          <Table
            label="Skipped interviews"
            columns={SKIPPED}
            rows={shown}
            // Items that came without an id are skipped too: the id alone names nothing.
            keyOf={(row) => JSON.stringify(row)}
          />
        )}
      </FirstFew>
    )}
    <CutList listed={skipped.length} total={total} />
  </DetailsSection>
);

/** What the refresh could not fetch; the interviews themselves are there. */
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
