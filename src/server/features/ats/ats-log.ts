import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

export const atsConnectedEntry = ({ name, account }: EventData<'ats.connected'>): NewLogEntry => ({
  action: 'ats-connected',
  summary: `Connected with ${name} as ${account}.`,
  metadata: { name, account },
});

export const atsDisconnectedEntry = ({ name, account }: EventData<'ats.disconnected'>): NewLogEntry => ({
  action: 'ats-disconnected',
  status: 'error',
  summary: `${name} no longer accepts the sign-in of ${account}. Nothing is sent until an admin connects it again.`,
  metadata: { name, account },
});
