import { DetailsSection } from '#web/features/logs/details/details-section.tsx';
import { FieldChanges } from '#web/features/logs/details/field-changes.tsx';
import { RefreshCounts } from '#web/features/logs/details/refresh-counts.tsx';
import type { RefreshLog, RefreshMetadata } from '#web/features/logs/details/refresh-log.ts';
import { FailedDownloads, SkippedInterviews } from '#web/features/logs/details/refresh-tables.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { LongText } from '#web/ui/long-text.tsx';

const inSeconds = (ms: number) => `${(ms / 1_000).toLocaleString('en-US', { maximumFractionDigits: 2 })} seconds`;
const counted = (count: number | null) => count?.toLocaleString('en-US') ?? null;

/** The end of a refresh: what it was of, what it did, and what it left out. */
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
      <Fact name="Total Field Changes">{counted(summary.totalFieldChanges)}</Fact>
      <Fact name="Skipped Interviews">{counted(summary.skippedInterviewCount)}</Fact>
      {summary.updatedInterviewIds.length > 0 && (
        <Fact name="Updated Interview IDs" className="col-span-full font-mono text-xs [&>dt]:font-sans">
          <LongText text={summary.updatedInterviewIds.join(', ')} />
        </Fact>
      )}
    </Facts>
  </DetailsSection>
);
