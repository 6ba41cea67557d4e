/** Focuses the field, or the first one of a group, with that `name`. */
export function focusField(form: HTMLFormElement | null, name = ''): void {
  const field = form?.elements.namedItem(name);
  const control = field instanceof RadioNodeList ? field[0] : field;
  if (control instanceof HTMLElement) control.focus();
}
