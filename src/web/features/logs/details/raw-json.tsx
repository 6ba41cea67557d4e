import { DetailsSection } from '#web/features/logs/details/details-section.tsx';
import { CodeBlock } from '#web/ui/code-block.tsx';

/** What was written, letter by letter. */
export const RawJson = ({ title, value }: { title: string; value: object | null }) => (
  <DetailsSection title={title}>
    {value === null ? (
      <p className="text-muted">None</p>
    ) : (
      <CodeBlock label={title}>{JSON.stringify(value, null, 2)}</CodeBlock>
    )}
  </DetailsSection>
);
