import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Classes of the cells. */
  className?: string;
  /** A class for its width; columns without one share the rest evenly. */
  width?: string;
}

interface Props<Row> {
  /** The name of the table, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table. On phones each row is a stack of values below their column names. */
export const Table = <Row,>({ label, columns, rows, keyOf }: Props<Row>) => (
  <div className="overflow-hidden rounded-lg border border-line">
    <table aria-label={label} className="w-full border-collapse text-left text-sm max-sm:block sm:table-fixed">
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line bg-sunken">
          {columns.map(({ name, width }) => (
            <th key={name} scope="col" className={cn('px-3 py-2 font-medium text-muted', width)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line align-top last:border-0 max-sm:block max-sm:py-1.5">
            {columns.map(({ name, cell, className }) => (
              <td key={name} className={cn('px-3 py-2 wrap-anywhere max-sm:block max-sm:py-1', className)}>
                <span aria-hidden className="block font-sans text-xs text-faint sm:hidden">
                  {name}
                </span>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
