/** What dialogs share. On phones the panel sits at the bottom, near the thumb. */
export const DIALOG_PANEL =
  'fixed inset-x-3 bottom-3 z-50 mx-auto flex max-h-[calc(100dvh-1.5rem)] flex-col rounded-xl bg-raised shadow-pop outline-none data-[state=open]:animate-pop-in data-[state=closed]:animate-fade-out sm:top-1/2 sm:bottom-auto sm:max-h-[calc(100dvh-4rem)] sm:-translate-y-1/2';
