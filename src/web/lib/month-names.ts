/**
 * The names of the months. By hand: the first `Intl` formatter of a page loads the rules of languages, which took half of the time in
 * which the dashboard's script starts.
 */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `Mar` */
export const shortMonth = (day: Date) => MONTHS[day.getMonth()]?.slice(0, 3);
