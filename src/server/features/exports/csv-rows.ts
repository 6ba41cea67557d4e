import Papa from 'papaparse';

/** Characters with which spreadsheets begin a formula, also in their full-width forms. */
const FORMULA = '=+\\-@＝＋－＠';
/**
 * Where a cell can begin. Spreadsheets of some countries separate cells by semicolons, and split a
 * text at them although it is quoted.
 */
const FORMULA_START = new RegExp(`(^|[;,\\t\\r\\n])([^\\S\\t\\r\\n]*)(?=[${FORMULA}])`, 'g');
/** Left of a cell, these are formulas too for some spreadsheets. */
const CONTROL_START = /^(?=[\t\r\n])/;

/**
 * A text that spreadsheets never calculate: an apostrophe precedes each formula. The option
 * `escapeFormulae` of Papa Parse overlooks texts with line breaks, spaces before a formula, and
 * formulas after a separator.
 */
export const plainCell = (text: string): string => text.replace(FORMULA_START, "$1$2'").replace(CONTROL_START, "'");

export type Cell = string | number | null;

/** Lines of a CSV file (RFC 4180), each with its line break. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? plainCell(cell) : cell)));
  return `${Papa.unparse(cells, { quotes: (cell) => typeof cell === 'string' && cell !== '', newline: '\r\n' })}\r\n`;
}
