import type { BulkAction, startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';
import { ACTION_LABELS } from './bulk-runs.ts';

export interface Question {
  body: CallInput<typeof startBulkRun>['body'];
  /** The number of matches when it has changed since the user chose the action. */
  matches?: number;
}

/** The facts to confirm before an action on many interviews. */
const CONSEQUENCES: Record<BulkAction, string> = {
  convert: "Their videos are published on YouTube. You can't undo that here.",
  transcribe: 'Those that have a transcript are skipped. You can cancel while it runs.',
  summarize: 'Missing transcripts are written first. You can cancel while it runs.',
  process: "They are transcribed and summarized, and their videos are published on YouTube. You can't undo that here.",
  retry: 'Their failed steps start again.',
  setDestination: '',
  undoDestination: '',
  sendToAts:
    'A note with the summary is written for each candidate who is found by e-mail address. Others are skipped.',
  archive: "You'll find them under Archived.",
  unarchive: 'They return to the list.',
};
interface Props {
  question: Question;
  /** The number of interviews. */
  count: number;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an action on many interviews. */
export const BulkQuestion = ({ question, count, pending, onConfirm, onClose }: Props) => (
  <AlertDialog onClose={onClose} {...textsOf(question, count)} pending={pending} onConfirm={onConfirm} />
);

function textsOf({ body: { action }, matches }: Question, count: number) {
  const confirm = `${ACTION_LABELS[action]} ${formatNumber(count)}`;
  if (matches === undefined)
    return {
      title: `${ACTION_LABELS[action]} ${formatCount(count, 'interview')}?`,
      description: CONSEQUENCES[action],
      confirm,
    };
  return {
    title: 'The list has changed',
    description: `${formatCount(count, 'interview')} match now. Continue with all of them?`,
    confirm,
  };
}
