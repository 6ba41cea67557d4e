/** An entry lists so many interviews at most; its counts are whole. */
export const CutList = ({ listed, total }: { listed: number; total: number | null }) =>
  total !== null &&
  total > listed && (
    <p className="mt-2 text-sm text-muted">
      The entry lists {listed.toLocaleString('en-US')} of {total.toLocaleString('en-US')}.
    </p>
  );
