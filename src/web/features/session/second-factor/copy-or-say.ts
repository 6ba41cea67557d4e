import { copyText } from '#web/lib/copy-text.ts';
import { toast } from '#web/lib/toast.tsx';

/** Copies, and says whether it did. */
export async function copyOrSay(text: string): Promise<void> {
  if (await copyText(text)) toast({ title: 'Copied' });
  else toast({ title: 'Error', description: 'The browser does not allow copying here.', variant: 'destructive' });
}
