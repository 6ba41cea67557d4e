import { DetailsSection } from '#web/features/logs/details/details-section.tsx';
import type { RefreshMetadata } from '#web/features/logs/details/refresh-log.ts';

/** How many interviews a refresh went through, and what became of them. */
export function RefreshCounts({ metadata }: { metadata: RefreshMetadata }) {
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
            <dd className="text-xl font-semibold">{count?.toLocaleString('en-US') ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </DetailsSection>
  );
}
