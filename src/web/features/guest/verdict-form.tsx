import { Check, CircleHelp, X } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import type { ClientVerdict, SharedItem } from '#contracts/shares.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { saveVerdict } from './guest-link.ts';

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
 * at the latest when another candidate is shown.
 */
export function VerdictForm({ item, sender, onChange, onNext, onError }: Props) {
  const [note, setNote] = useState(item.verdictNote ?? '');
  const [status, setStatus] = useState('');
  const saved = useRef({ verdict: item.verdict, verdictNote: item.verdictNote });
  const latest = useRef(0);
  const save = async (verdict: ClientVerdict) => {
    const decision = { verdict, verdictNote: note.trim() || null };
    const number = ++latest.current;
    setStatus('');
    onChange(decision);
    try {
      await saveVerdict(item.n, verdict, decision.verdictNote);
      saved.current = decision;
      setStatus(`Saved. ${sender} can see your decision.`);
    } catch (error) {
      // A later choice is already shown, and is being saved.
      if (number !== latest.current) return;
      onChange(saved.current);
      setStatus((error as Error).message);
      onError(error);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (item.verdict) void save(item.verdict);
  };
  const isNoteSaved = (note.trim() || null) === item.verdictNote;
  const saveNote = useRef<(() => void) | null>(null);
  useEffect(() => {
    const { verdict } = item;
    saveNote.current = verdict && !isNoteSaved ? () => void save(verdict) : null;
  });
  useEffect(() => () => saveNote.current?.(), []);
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
            onChange={(event) => setNote(event.target.value)}
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
