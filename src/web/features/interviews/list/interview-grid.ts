/** Section 2 of the specification: one column on small screens, two on medium and large ones, three on extra-large ones. */
export const INTERVIEW_GRID = 'grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3';
