/** Text as a machine wrote it. A long one scrolls by itself, also with the keyboard. */
export const CodeBlock = ({ label, children }: { label: string; children: string }) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable
    tabIndex={0}
    className="max-h-72 overflow-y-auto rounded-lg border border-line bg-sunken px-3.5 py-3"
  >
    <pre className="font-mono text-xs whitespace-pre-wrap text-muted wrap-anywhere">{children}</pre>
  </section>
);
