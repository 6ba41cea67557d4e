import { Check, CircleHelp, X } from 'lucide-react';
import type { FormEvent } from 'react';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import type { ClientVerdict, SharedItem } from '#contracts/shares.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useDecision } from './use-decision.ts';

interface Props {
  item: SharedItem;
  sender: string;
  onChange: (part: Partial<SharedItem>) => void;
  onNext: (() => void) | null;
  onError: (error: unknown) => void;
}

export const VERDICTS: Record<ClientVerdict, { label: string; icon: typeof Check; tone: string }> = {
  yes: { label: 'Interested', icon: Check, tone: 'text-success-ink' },
  maybe: { label: 'Maybe', icon: CircleHelp, tone: 'text-warning-ink' },
  no: { label: 'Not interested', icon: X, tone: 'text-danger-ink' },
};
const CHOICES = ['yes', 'maybe', 'no'] as const;

/**
 * The recipient's decision on a candidate, with a note. Each choice is saved immediately, the note
 * at the latest when another candidate is shown or the page closes.
 */
export function VerdictForm({ onNext, ...props }: Props) {
  const { item, sender } = props;
  const { note, isNoteSaved, status, type, save, saveNote } = useDecision(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveNote();
  };
  return (
    <form onSubmit={submit} className="rounded-xl border border-line bg-surface p-4 shadow-card">
      <fieldset>
        <legend className="float-left mb-2 w-full font-medium">What do you think of {item.name}?</legend>
        <div className="clear-both flex flex-wrap gap-2">
          {CHOICES.map((verdict) => {
            const { label, icon: Icon } = VERDICTS[verdict];
            return (
              <Button
                key={verdict}
                variant={item.verdict === verdict ? 'primary' : 'secondary'}
                aria-pressed={item.verdict === verdict}
                className="max-sm:grow"
                onClick={() => save(verdict)}
              >
                <Icon aria-hidden />
                {label}
              </Button>
            );
          })}
          {onNext && (
            <Button variant="ghost" className="ml-auto max-sm:grow" onClick={onNext}>
              Next candidate
            </Button>
          )}
        </div>
      </fieldset>
      {item.verdict && (
        <div className="mt-3 flex gap-2">
          <Input
            aria-label={`A note for ${sender} (optional)`}
            placeholder={`A note for ${sender} (optional)`}
            maxLength={SHARE_LIMITS.note}
            value={note}
            onChange={(event) => type(event.target.value)}
          />
          <Button type="submit" disabled={isNoteSaved}>
            Save
          </Button>
        </div>
      )}
      <p role="status" className="mt-2 min-h-5 text-sm text-muted">
        {status}
      </p>
    </form>
  );
}
