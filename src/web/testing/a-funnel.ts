import type { Funnel } from '#contracts/funnels.ts';

/** The active funnel `Nursing`, with the fields of `part`. */
export const aFunnel = (part: Partial<Funnel> = {}): Funnel => ({
  id: 1,
  name: 'Nursing',
  clientName: 'St. Hedwig',
  description: null,
  apiKey: 'key',
  funnelId: 'nursing',
  directLink: null,
  skills: null,
  professionalExpectations: null,
  skillExpectations: null,
  educationExpectations: null,
  cultureExpectations: null,
  isActive: true,
  processAutomatically: false,
  source: 'rest',
  refreshMinutes: null,
  newInterviews: 'nothing',
  dailyLimit: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  interviewCount: 1,
  ...part,
});
