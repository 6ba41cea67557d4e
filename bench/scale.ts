/**
 * True for `npm run bench -- --smoke`: every benchmark runs once with tiny sizes to show that it
 * still works. Its figures mean nothing and its aims are not judged.
 */
export const isSmoke = process.argv.includes('--smoke');

/** Returns the size of a real measurement, or the tiny one in a smoke run. */
export const sized = <Size>(real: Size, tiny: Size): Size => (isSmoke ? tiny : real);
