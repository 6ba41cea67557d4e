import type { AtsPush } from '#contracts/ats-pushes.ts';

type Tone = 'success' | 'warning' | 'danger' | 'info';

/** The label of a note's state, and the action that a click offers. */
export function describePush({ state, isChanged }: AtsPush): { label: string; tone: Tone; action: string } {
  if (state === 'pending') return { label: 'Sending', tone: 'info', action: 'Send' };
  if (state === 'failed') return { label: 'Failed', tone: 'danger', action: 'Send again' };
  if (state === 'unclear') return { label: 'Unclear', tone: 'warning', action: 'Check now' };
  return isChanged
    ? { label: 'Changed since', tone: 'warning', action: 'Update the note' }
    : { label: 'Sent', tone: 'success', action: 'Update the note' };
}
