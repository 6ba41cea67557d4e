import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Criterion } from '#contracts/reviews.ts';
import { SCORECARD_LIMITS } from '#contracts/rules/limits.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Field, FieldError } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { CRITERION_LABELS, type CriterionField, nameOfField, type ScorecardForm } from './scorecard-form.ts';

/** The criteria that reviewers rate, collapsed below the expectations. */
export function ScorecardFields({ form }: { form: ScorecardForm }) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  // An error inside must be visible before its field receives the focus.
  const isInvalid = Object.keys(form.errors).length > 0 || form.rejection !== null;
  return (
    <details
      open={isUnfolded || isInvalid}
      onToggle={(event) => setIsUnfolded(event.currentTarget.open)}
      className="border-t border-line pt-4"
    >
      <summary className="touch-beyond relative w-fit cursor-pointer rounded-sm font-medium">Scorecard</summary>
      <fieldset className="mt-3 flex min-w-0 flex-col gap-4">
        <legend className="sr-only">Scorecard</legend>
        <p className="text-sm text-muted">{describeUse(form)}</p>
        {form.isLoading && <Loading>Loading the scorecard...</Loading>}
        {form.loadError && <p className="text-sm text-danger-ink">{form.loadError}</p>}
        {!form.isNew && !form.isLoading && !form.loadError && <CriteriaFields form={form} />}
      </fieldset>
    </details>
  );
}

function describeUse({ isNew, isDefault }: ScorecardForm): string {
  if (isNew)
    return 'Reviewers rate each filled expectation from 1 to 5. You can change the criteria once the funnel is created.';
  const current = isDefault
    ? 'Reviewers rate each filled expectation from 1 to 5.'
    : 'Reviewers rate these from 1 to 5.';
  return `${current} Changes apply to drafts and new reviews. Submitted reviews keep the criteria that they were rated by, and averages leave out criteria that you remove.`;
}

/** A key that no criterion of the list has. */
function newKey(criteria: readonly Criterion[]): string {
  for (let number = 1; ; number++) {
    const key = `criterion-${number}-${Date.now().toString(36)}`;
    if (criteria.every((criterion) => criterion.key !== key)) return key;
  }
}

function CriteriaFields({ form }: { form: ScorecardForm }) {
  const { criteria, errors, isDefault, rejection } = form;
  const list = useRef<HTMLOListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [moved, setMoved] = useState('');
  /** Renders the change, then focuses what is at the index. */
  const change = (next: readonly Criterion[], at: number, selector: string) => {
    flushSync(() => form.change(next));
    const focused = list.current?.children[at]?.querySelector<HTMLElement>(selector) ?? add.current;
    focused?.focus();
  };
  const move = (from: number, to: number) => {
    const criterion = criteria[from];
    if (!criterion || to < 0 || to >= criteria.length) return;
    change(
      criteria.toSpliced(from, 1).toSpliced(to, 0, criterion),
      to,
      to < from ? '[data-move=up]' : '[data-move=down]',
    );
    setMoved(`${criterion.label} is now ${to + 1} of ${criteria.length}.`);
  };
  const isFull = criteria.length >= SCORECARD_LIMITS.criteria;
  return (
    <>
      <ol ref={list} className="flex flex-col gap-3">
        {criteria.map((criterion, index) => (
          <CriterionFields
            key={criterion.key}
            {...{ criterion, index, count: criteria.length, errors }}
            onChange={(part) => form.change(criteria.with(index, { ...criterion, ...part }))}
            onMove={(to) => move(index, to)}
            onRemove={() => change(criteria.toSpliced(index, 1), Math.min(index, criteria.length - 2), 'input')}
          />
        ))}
      </ol>
      {rejection && <FieldError id="scorecard-error">{rejection}</FieldError>}
      <output className="sr-only">{moved}</output>
      <div className="flex flex-wrap gap-2">
        <Button
          ref={add}
          size="sm"
          aria-disabled={isFull}
          title={isFull ? `A scorecard has at most ${SCORECARD_LIMITS.criteria} criteria` : undefined}
          onClick={() => {
            const added = { key: newKey(criteria), label: '', low: '', middle: '', high: '' };
            if (!isFull) change([...criteria, added], criteria.length, 'input');
          }}
        >
          <Plus aria-hidden />
          Add criterion
        </Button>
        <Button size="sm" aria-disabled={isDefault} onClick={form.followExpectations}>
          Use the expectations
        </Button>
      </div>
    </>
  );
}

interface CriterionProps {
  criterion: Criterion;
  index: number;
  count: number;
  errors: Record<string, string>;
  onChange: (part: Partial<Criterion>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

const ANCHORS = ['low', 'middle', 'high'] as const;

function CriterionFields({ criterion, index, count, errors, onChange, onMove, onRemove }: CriterionProps) {
  const name = criterion.label.trim() || `criterion ${index + 1}`;
  const field = (part: CriterionField) => ({
    name: nameOfField(index, part),
    value: criterion[part],
    // A pasted line break becomes a space: texts of a criterion have one line.
    onChange: ({ target }: { target: { value: string } }) => onChange({ [part]: target.value.replace(/\r?\n/g, ' ') }),
  });
  return (
    <li className="rounded-lg border border-line p-3">
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="sr-only">{`Criterion ${index + 1}`}</legend>
        <Field label={CRITERION_LABELS.label} required error={errors[nameOfField(index, 'label')]}>
          {(control) => (
            <div className="flex items-center gap-1">
              <Input {...field('label')} {...control} />
              <Tool label={`Move ${name} up`} data-move="up" isOff={index === 0} onClick={() => onMove(index - 1)}>
                <ArrowUp aria-hidden />
              </Tool>
              <Tool
                label={`Move ${name} down`}
                data-move="down"
                isOff={index === count - 1}
                onClick={() => onMove(index + 1)}
              >
                <ArrowDown aria-hidden />
              </Tool>
              <Tool label={`Remove ${name}`} isOff={count === 1} onClick={onRemove}>
                <Trash2 aria-hidden />
              </Tool>
            </div>
          )}
        </Field>
        <div className="grid gap-3 sm:grid-cols-3">
          {ANCHORS.map((anchor) => (
            <Field key={anchor} label={CRITERION_LABELS[anchor]} error={errors[nameOfField(index, anchor)]}>
              {(control) => <Textarea rows={2} className="field-sizing-content" {...field(anchor)} {...control} />}
            </Field>
          ))}
        </div>
      </fieldset>
    </li>
  );
}

interface ToolProps {
  label: string;
  'data-move'?: 'up' | 'down';
  /** The button stays focusable, so that the focus is not lost at an end of the list. */
  isOff: boolean;
  onClick: () => void;
  children: ReactNode;
}

const Tool = ({ label, isOff, onClick, children, ...props }: ToolProps) => (
  <Button
    variant="ghost"
    size="icon"
    aria-label={label}
    title={label}
    aria-disabled={isOff}
    onClick={() => isOff || onClick()}
    {...props}
  >
    {children}
  </Button>
);
