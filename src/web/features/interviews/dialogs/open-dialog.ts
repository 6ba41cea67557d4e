import type { Interview } from '#contracts/interviews.ts';

export type DialogKind = 'questions' | 'video' | 'transcript' | 'summary' | 'destination';

export interface OpenDialog {
  kind: DialogKind;
  interview: Interview;
}

/** Opens a dialog about an interview. The same function at every render, so that cards need not be drawn again. */
export type Open = (kind: DialogKind, interview: Interview) => void;
