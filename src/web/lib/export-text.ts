import { toast } from './toast.ts';

/** Returns false when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copies to the clipboard and shows the result, with `title` on success. */
export async function copyWithToast(text: string, title = 'Copied'): Promise<void> {
  if (await copyText(text)) toast({ title });
  else
    toast({
      title: 'Error',
      description: "Couldn't copy. Select the text and copy it yourself.",
      variant: 'destructive',
    });
}

/** The clipboard API needs HTTPS or localhost, but intranets may serve the page over plain HTTP. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

/** Some browsers start reading the file after the click has returned. */
const REVOKE_DELAY_MS = 60_000;

/** Downloads a text as a file. */
export function saveTextFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY_MS);
}
