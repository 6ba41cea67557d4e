/** The looks that every text-like control shares. */
export const CONTROL =
  'w-full rounded-md border border-control bg-surface text-ink shadow-card transition-colors duration-100 hover:border-muted focus-visible:border-accent focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger-ink';
