import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

export const pauseEntry = ({ reason, ...funnel }: EventData<'automation.paused'>): NewLogEntry => ({
  type: 'error',
  action: 'pause-automation',
  status: 'warning',
  summary: `Automatic refreshes of ${funnel.name} are paused. ${reason}`,
  metadata: { ...funnel },
});

export const resumeEntry = ({ wasPaused, ...funnel }: EventData<'automation.resumed'>): NewLogEntry | null =>
  wasPaused
    ? {
        action: 'resume-automation',
        summary: `Automatic refreshes of ${funnel.name} were resumed.`,
        metadata: { ...funnel },
      }
    : null;
