/** Puts the cursor into the search box of the page, if it has one. */
export function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>('main input[type=search]');
  box?.focus();
  box?.select();
}
