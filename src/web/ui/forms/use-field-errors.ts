import { useRef, useState } from 'react';
import type { ApiError } from '#web/lib/api-error.ts';
import { toastFailure } from '#web/lib/toast.ts';

/** The errors of a form by the names of its fields. `showErrors` focuses the first of them. */
export function useFieldErrors<Name extends string>() {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const showErrors = (found: Partial<Record<Name, string>>) => {
    setErrors(found);
    focusField(form.current, Object.keys(found)[0]);
  };
  /** For `onError` of a call: an error about another field, or about none, becomes a toast. */
  const showRejection = (names: readonly Name[], failed: string) => (error: ApiError) => {
    const name = names.find((known) => known === error.field);
    if (name === undefined) toastFailure(failed)(error);
    else showErrors({ [name]: error.message } as Partial<Record<Name, string>>);
  };
  return { form, errors, showErrors, showRejection, clearErrors: () => setErrors({}) };
}

/** Focuses the field, or the first one of a group, with that `name`. */
export function focusField(form: HTMLFormElement | null, name = ''): void {
  const field = form?.elements.namedItem(name);
  const control = field instanceof RadioNodeList ? field[0] : field;
  if (control instanceof HTMLElement) control.focus();
}
