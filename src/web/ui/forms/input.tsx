import type { ComponentProps, KeyboardEvent } from 'react';
import { cn } from '#web/lib/cn.ts';
import { isPressed, WRITING_KEYS } from '#web/lib/keys.ts';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input type="text" className={cn(CONTROL, 'h-9 px-3', className)} {...props} />;
}

/** The style of all text controls. */
const CONTROL =
  'w-full rounded-md border border-control bg-surface text-ink shadow-card transition-colors duration-100 hover:border-muted focus-visible:border-accent focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger-ink aria-invalid:outline-danger-ink';

/** Control or Command with Enter submits its form. */
export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={4}
      onKeyDown={submitWithEnter}
      className={cn(CONTROL, 'resize-y px-3 py-2 leading-relaxed', className)}
      {...props}
    />
  );
}

function submitWithEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (!isPressed(WRITING_KEYS.save, event)) return;
  event.preventDefault();
  const { form } = event.currentTarget;
  // A pending button ignores only clicks.
  const isPending = [...(form?.elements ?? [])].some((element) => element.matches('[type=submit][aria-busy]'));
  if (!isPending) form?.requestSubmit();
}
