const ALL_FUNNELS = 'all';
/** A payload of NOTIFY has less than 8,000 bytes. */
const MAX_FUNNELS = 500;

/** Funnels in an announcement: only browsers that see one of them are notified. Null: all. */
export const formatFunnels = (ids: readonly number[] | null): string => {
  const distinct = new Set(ids);
  return ids === null || distinct.size > MAX_FUNNELS ? ALL_FUNNELS : [...distinct].join();
};

export const parseFunnels = (announced: string): number[] | null =>
  announced === ALL_FUNNELS ? null : announced.split(',').filter(Boolean).map(Number);
