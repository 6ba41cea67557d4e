import { Copy, ExternalLink } from 'lucide-react';
import { copyText } from '#web/lib/copy-text.ts';
import { toast } from '#web/lib/toast.tsx';
import { Button } from '#web/ui/button.tsx';

/** The page where candidates record, with a button that copies its address. */
export function DirectLink({ link }: { link: string }) {
  async function copy() {
    if (await copyText(link)) toast({ title: 'Link copied' });
    else toast({ title: 'Error', description: 'The link could not be copied.', variant: 'destructive' });
  }
  return (
    <div className="mt-4 flex items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2.5">
      <a
        href={link}
        target="_blank"
        rel="noreferrer"
        className="flex min-w-0 grow items-center max-md:min-h-11 gap-1.5 rounded-sm text-sm text-muted hover:text-ink"
      >
        <ExternalLink aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{link}</span>
        <span className="sr-only">(opens in a new tab)</span>
      </a>
      <Button variant="ghost" size="icon-sm" aria-label="Copy link" onClick={copy}>
        <Copy aria-hidden className="size-3.5" />
      </Button>
    </div>
  );
}
