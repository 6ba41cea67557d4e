/**
 * Funnels read a service with our REST contract, the service of a vendor, or recordings that staff
 * upload.
 */
export const FUNNEL_SOURCES = ['rest', 'hireflix', 'videoask', 'upload'] as const;
export type FunnelSource = (typeof FUNNEL_SOURCES)[number];

/** The names on screen. */
export const SOURCE_NAMES: Record<FunnelSource, string> = {
  rest: 'Interview service',
  hireflix: 'Hireflix',
  videoask: 'VideoAsk',
  upload: 'Uploaded recordings',
};
