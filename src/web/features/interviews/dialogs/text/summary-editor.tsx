import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import { renderSummary } from '#contracts/rules/render-summary.ts';
import { EXPECTATION_LABELS, SummaryStructure, VERDICT_LABELS, VERDICTS } from '#contracts/summaries.ts';
import { useDraft } from '#web/features/drafts/use-draft.ts';
import { useSaveSummary } from '#web/features/interviews/save-actions.ts';
import { formatDuration } from '#web/lib/format.ts';
import { toast } from '#web/lib/toast.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { EditorDialog, type EditorProps } from './editor-dialog.tsx';
import { TEXT_KINDS } from './use-text.ts';

type Expectation = SummaryStructure['expectations'][number];

const VERDICT_OPTIONS = VERDICTS.map((verdict) => ({ value: verdict, label: VERDICT_LABELS[verdict] }));
const NOTHING: SummaryStructure = { method: 'model', overview: '', expectations: [], openQuestions: [] };

/** Edits a summary section by section. Times of quotes are kept. */
export function SummaryEditor({ onSaved, ...props }: EditorProps) {
  const { id, draftKey, stored } = props;
  const draft = useDraft(draftKey, { text: JSON.stringify(stored.structure), version: stored.version });
  const edited = parseStructure(draft.draft) ?? stored.structure ?? NOTHING;
  const [isInvalid, setIsInvalid] = useState(false);
  const overview = useRef<HTMLTextAreaElement>(null);
  const save = useSaveSummary({
    onDone: () => {
      draft.forget();
      onSaved();
    },
  });
  const change = (part: Partial<SummaryStructure>) => draft.setDraft(JSON.stringify({ ...edited, ...part }));

  const submit = () => {
    if (edited.overview.trim() !== '') {
      const structure = withoutBlanks(edited);
      const summaryText = renderSummary(structure);
      save.mutate({ params: { id }, body: { summaryText, structure, basedOn: stored.version } });
      return;
    }
    setIsInvalid(true);
    overview.current?.focus();
    toast({ title: 'Validation Error', description: TEXT_KINDS.summary.empty, variant: 'destructive' });
  };

  return (
    <EditorDialog {...props} draft={draft} isSaving={save.isPending} onSubmit={submit}>
      <fieldset disabled={save.isPending} className="flex flex-col gap-6">
        <legend className="sr-only">Sections of the summary</legend>
        <Field label="Overview" error={isInvalid ? 'Enter an overview to save, or cancel' : undefined}>
          {(control) => (
            <Textarea
              {...control}
              ref={overview}
              autoFocus
              maxLength={MAX_TEXT_LENGTH}
              value={edited.overview}
              onChange={(event) => {
                change({ overview: event.target.value });
                setIsInvalid(false);
              }}
              className="field-sizing-content"
            />
          )}
        </Field>
        {edited.expectations.map((expectation, nth) => (
          <ExpectationFields
            key={expectation.field}
            expectation={expectation}
            onChange={(part) => change({ expectations: edited.expectations.with(nth, { ...expectation, ...part }) })}
          />
        ))}
        <Field label="Open questions" hint="One question per line.">
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              value={edited.openQuestions.join('\n')}
              onChange={(event) => change({ openQuestions: event.target.value.split('\n') })}
              className="field-sizing-content"
            />
          )}
        </Field>
      </fieldset>
    </EditorDialog>
  );
}

interface ExpectationProps {
  expectation: Expectation;
  onChange: (part: Partial<Expectation>) => void;
}

function ExpectationFields({ expectation, onChange }: ExpectationProps) {
  const { field, verdict, note, quotes } = expectation;
  const name = EXPECTATION_LABELS[field];
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-t border-line pt-4">
      <legend className="float-left font-semibold">{name}</legend>
      <div className="clear-both flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-48 flex-1 text-sm text-muted">Expected: {expectation.expectation}</p>
        <Select
          label={`Verdict: ${name}`}
          value={verdict}
          options={VERDICT_OPTIONS}
          onChange={(chosen) => onChange({ verdict: chosen })}
          className="w-40 shrink-0"
        />
      </div>
      <Textarea
        aria-label={`Note: ${name}`}
        placeholder="Note"
        rows={1}
        value={note ?? ''}
        onChange={(event) => onChange({ note: event.target.value })}
        className="field-sizing-content"
      />
      {quotes.map((quote, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: controlled fields; quotes can repeat
        <div key={nth} className="flex items-start gap-2">
          <span className="w-10 shrink-0 pt-2.5 text-right text-xs text-muted tabular-nums">
            {quote.startSeconds !== null && formatDuration(Math.floor(quote.startSeconds))}
          </span>
          <Textarea
            aria-label={`Quote ${nth + 1}: ${name}`}
            rows={1}
            value={quote.text}
            onChange={(event) => onChange({ quotes: quotes.with(nth, { ...quote, text: event.target.value }) })}
            className="field-sizing-content"
          />
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Remove quote ${nth + 1}: ${name}`}
            onClick={() => onChange({ quotes: quotes.toSpliced(nth, 1) })}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
    </fieldset>
  );
}

/** Null for a draft that another release has stored. */
function parseStructure(draft: string): SummaryStructure | null {
  return SummaryStructure.nullable().catch(null).parse(JSON.parse(draft));
}

/** Removes notes, quotes and questions that the user has emptied. */
const withoutBlanks = ({ expectations, openQuestions, ...rest }: SummaryStructure): SummaryStructure => ({
  ...rest,
  expectations: expectations.map(({ note, quotes, ...expectation }) => ({
    ...expectation,
    note: note?.trim() ? note : null,
    quotes: quotes.filter(({ text }) => text.trim() !== ''),
  })),
  openQuestions: openQuestions.filter((question) => question.trim() !== ''),
});
