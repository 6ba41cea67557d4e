import { ACCOUNT_SCENES } from './account-scenes.ts';
import { DAILY_SCENES } from './daily-scenes.ts';
import { DASHBOARD_SCENES } from './dashboard-scenes.ts';
import { FUNNEL_SCENES } from './funnel-scenes.ts';
import { INTERVIEW_SCENES } from './interview-scenes.ts';
import { LOG_SCENES } from './log-scenes.ts';
import type { Scene } from './scene.ts';

/** Scenes for a signed-in user. */
export const SCENES: readonly Scene[] = [
  ...DASHBOARD_SCENES,
  ...DAILY_SCENES,
  ...INTERVIEW_SCENES,
  ...FUNNEL_SCENES,
  ...LOG_SCENES,
  ...ACCOUNT_SCENES,
];
