import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { plainText } from '#contracts/rules/plain-text.ts';
import type { SharedItem } from '#contracts/shares.ts';
import { call } from '#web/lib/call.ts';
import { formatDate } from '#web/lib/format.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import { Spinner } from '#web/ui/feedback/loading.tsx';
import { previewOf, type ShareDraft } from './share-draft.ts';

const TYPING_MS = 300;

/** A live preview of the first recipient's page. */
export function SharePreview({ draft, ids }: { draft: ShareDraft; ids: string[] }) {
  const settled = useSettled(draft, TYPING_MS);
  const body = previewOf(settled, ids);
  const { data: page, error } = useQuery({
    // The expiry changes with every reading of the clock.
    queryKey: ['POST /api/share-preview', { ...body, expiresAt: settled.days }],
    queryFn: ({ signal }) => call('POST /api/share-preview', { body }, { signal }),
    placeholderData: keepPreviousData,
  });
  if (error) return <p className="text-sm text-danger-ink">{error.message}</p>;
  if (!page) return <Spinner label="Loading the preview" />;
  return (
    <div className="rounded-lg border border-line bg-canvas p-4">
      <h3 className="text-lg font-semibold break-words">{page.title || 'Title'}</h3>
      <p className="text-sm text-muted">
        From {page.sender} for {page.recipient}. Available until {formatDate(page.expiresAt)}.
      </p>
      {page.message && <p className="mt-2 break-words whitespace-pre-line">{page.message}</p>}
      <ul className="mt-3 space-y-3">
        {page.items.map((item) => (
          <PreviewItem key={item.n} item={item} />
        ))}
      </ul>
    </div>
  );
}

const PreviewItem = ({ item }: { item: SharedItem }) => (
  <li className="rounded-lg border border-line bg-surface p-3 text-sm">
    <p className="font-medium break-words">{item.name}</p>
    {item.title !== item.name && <p className="break-words text-muted">{item.title}</p>}
    {item.contact && <p>{[item.contact.email, item.contact.phone].filter(Boolean).join(', ')}</p>}
    {item.summary && <Excerpt label="Summary" text={item.summary} />}
    {item.questions && item.questions.length > 0 && (
      <Excerpt label="Questions" text={item.questions.map(({ question }) => plainText(question)).join(' ')} />
    )}
    {item.transcript && <Excerpt label="Transcript" text={item.transcript} />}
  </li>
);

const Excerpt = ({ label, text }: { label: string; text: string }) => (
  <p className="mt-1 line-clamp-4 break-words">
    <span className="text-muted">{label}: </span>
    {text}
  </p>
);
