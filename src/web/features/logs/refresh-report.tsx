import { formatNumber } from '#web/lib/format.ts';
import { Fact, Facts } from '#web/ui/layout/facts.tsx';
import { LongText } from '#web/ui/layout/show-more.tsx';
import { DetailsSection } from './details-section.tsx';
import type { RefreshLog, RefreshMetadata } from './refresh-log.ts';
import { FailedDownloads, FieldChanges, SkippedInterviews } from './refresh-tables.tsx';

const inSeconds = (ms: number) => `${(ms / 1_000).toLocaleString('en-US', { maximumFractionDigits: 2 })} seconds`;
const formatOptional = (count: number | null) => (count === null ? null : formatNumber(count));

/** The report of a finished refresh. */
export const RefreshReport = ({ details, metadata }: RefreshLog) => (
  <>
    <DetailsSection title="Refresh">
      <Facts>
        <Fact name="Funnel Name">{details.funnelName}</Fact>
        <Fact name="Funnel ID">{details.funnelId}</Fact>
        <Fact name="Funnel API ID">{details.funnelApiId}</Fact>
        <Fact name="Processing Time">
          {details.processingTimeMs === null ? null : inSeconds(details.processingTimeMs)}
        </Fact>
      </Facts>
    </DetailsSection>
    <RefreshCounts metadata={metadata} />
    <SkippedInterviews
      skipped={details.skippedInterviews}
      total={metadata.detailedSummary?.skippedInterviewCount ?? null}
    />
    <FieldChanges changes={details.detailedChanges} total={metadata.updatedCount} />
    <FailedDownloads failures={details.failedDownloads} />
    {metadata.funnelDetails && <FunnelInformation funnel={metadata.funnelDetails} />}
    {metadata.detailedSummary && <OperationSummary summary={metadata.detailedSummary} />}
  </>
);

const FunnelInformation = ({ funnel }: { funnel: NonNullable<RefreshMetadata['funnelDetails']> }) => (
  <DetailsSection title="Funnel Information">
    <Facts>
      <Fact name="ID">{funnel.id}</Fact>
      <Fact name="Name">{funnel.name}</Fact>
      <Fact name="API ID">{funnel.funnelId}</Fact>
      <Fact name="Client">{funnel.clientName}</Fact>
    </Facts>
  </DetailsSection>
);

const OperationSummary = ({ summary }: { summary: NonNullable<RefreshMetadata['detailedSummary']> }) => (
  <DetailsSection title="Operation Summary">
    <Facts>
      <Fact name="Total Field Changes">{formatOptional(summary.totalFieldChanges)}</Fact>
      <Fact name="Skipped Interviews">{formatOptional(summary.skippedInterviewCount)}</Fact>
      {summary.updatedInterviewIds.length > 0 && (
        <Fact name="Updated Interview IDs" className="col-span-full font-mono text-xs [&>dt]:font-sans">
          <LongText text={summary.updatedInterviewIds.join(', ')} />
        </Fact>
      )}
    </Facts>
  </DetailsSection>
);

function RefreshCounts({ metadata }: { metadata: RefreshMetadata }) {
  const counts = [
    ['Total', metadata.count],
    ['New', metadata.newCount],
    ['Updated', metadata.updatedCount],
    ['Archived', metadata.archivedCount],
  ] as const;
  return (
    <DetailsSection title="Interviews">
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {counts.map(([name, count]) => (
          <div key={name} className="rounded-lg border border-line px-3.5 py-2.5">
            <dt className="text-xs text-faint">{name}</dt>
            <dd className="text-xl font-semibold">{formatOptional(count) ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </DetailsSection>
  );
}
