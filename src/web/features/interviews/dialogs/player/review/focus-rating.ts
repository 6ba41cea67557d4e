/** Moves the focus to the first criterion of a scorecard, if it is shown. */
export function focusRating(part: ParentNode | null): void {
  const criterion = part?.querySelector('form[aria-label="My review"] fieldset');
  const rating = criterion?.querySelector<HTMLElement>(':checked') ?? criterion?.querySelector('input');
  rating?.focus();
}
