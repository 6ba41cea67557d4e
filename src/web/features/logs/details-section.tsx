import type { ReactNode } from 'react';
import { formatNumber } from '#web/lib/format.ts';

export const DetailsSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-2 font-semibold">{title}</h3>
    {children}
  </section>
);

export const RawJson = ({ title, value }: { title: string; value: object | null }) => (
  <DetailsSection title={title}>
    {value === null ? (
      <p className="text-muted">None</p>
    ) : (
      <CodeBlock label={title}>{JSON.stringify(value, null, 2)}</CodeBlock>
    )}
  </DetailsSection>
);

/** Shown when an entry lists fewer interviews than it counts. */
export const TruncationNote = ({ listed, total }: { listed: number; total: number | null }) =>
  total !== null &&
  total > listed && (
    <p className="mt-2 text-sm text-muted">
      Showing the first {formatNumber(listed)} of {formatNumber(total)}.
    </p>
  );

/** Preformatted text. Long text scrolls, also with the keyboard. */
const CodeBlock = ({ label, children }: { label: string; children: string }) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets the keyboard scroll it
    tabIndex={0}
    className="max-h-72 overflow-y-auto rounded-lg border border-line bg-sunken px-3.5 py-3"
  >
    <pre className="font-mono text-xs whitespace-pre-wrap text-muted wrap-anywhere">{children}</pre>
  </section>
);
