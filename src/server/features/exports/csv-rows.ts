import Papa from 'papaparse';

/** Characters that start a formula in spreadsheets, including their full-width forms. */
const FORMULA = '=+\\-@＝＋－＠';
/**
 * Where a cell can begin. In some locales, spreadsheets separate cells by semicolons and split even
 * quoted text at them.
 */
const FORMULA_START = new RegExp(`(^|[;,\\t\\r\\n])([^\\S\\t\\r\\n]*)(?=[${FORMULA}])`, 'g');
/** Some spreadsheets also read a cell as a formula if it starts with one of these. */
const CONTROL_START = /^(?=[\t\r\n])/;

/**
 * Prefixes each formula with an apostrophe, so that no spreadsheet calculates it. Papa Parse's
 * option `escapeFormulae` misses text with line breaks, spaces before a formula, and formulas after
 * a separator.
 */
export const plainCell = (text: string): string => text.replace(FORMULA_START, "$1$2'").replace(CONTROL_START, "'");

export type Cell = string | number | null;

/** Lines of a CSV file (RFC 4180), each with its line break. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? plainCell(cell) : cell)));
  return `${Papa.unparse(cells, { quotes: (cell) => typeof cell === 'string' && cell !== '', newline: '\r\n' })}\r\n`;
}
