import { useEffect, useRef, useState } from 'react';
import type { SharedItem, SharedPage } from '#contracts/shares.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDate, formatDuration } from '#web/lib/format.ts';
import { Candidate } from './candidate.tsx';
import { LinkError, linkUrl } from './guest-link.ts';
import { VERDICTS } from './verdict-form.tsx';

interface Props {
  page: SharedPage;
  /** Called when the link is closed, expired or revoked. */
  onLost: (error: unknown) => void;
}

/** The candidates of an opened link, one at a time. */
export function SharedCandidates({ page, onLost }: Props) {
  const [items, setItems] = useState(page.items);
  const [shown, setShown] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = page.title;
  }, [page.title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another candidate is shown
  useEffect(() => {
    // The first candidate does not take the focus from the heading of the page.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [shown]);
  const change = (n: number, part: Partial<SharedItem>) =>
    setItems((all) => all.map((item) => (item.n === n ? { ...item, ...part } : item)));
  const report = (error: unknown) => {
    if (error instanceof LinkError && [401, 404].includes(error.status)) onLost(error);
  };
  const item = items[shown];
  if (!item) return null;
  return (
    <div className="mx-auto max-w-7xl px-4 py-5 sm:px-6 lg:py-8">
      <PageHead page={page} />
      <div className="mt-5 gap-6 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
        <CandidateList items={items} shown={shown} onShow={setShown} />
        <main className="min-w-0">
          <Candidate
            key={item.n}
            page={page}
            item={item}
            heading={heading}
            onChange={(part) => change(item.n, part)}
            onNext={shown < items.length - 1 ? () => setShown(shown + 1) : null}
            onError={report}
          />
        </main>
      </div>
    </div>
  );
}

export const PageHead = ({ page }: { page: SharedPage }) => (
  <header>
    <h1 className="text-2xl font-semibold break-words">{page.title}</h1>
    <p className="mt-1 text-sm text-muted">
      From {page.sender} for {page.recipient}. Available until {formatDate(page.expiresAt)}.
    </p>
    {page.message && <p className="mt-3 max-w-prose break-words whitespace-pre-line">{page.message}</p>}
  </header>
);

interface ListProps {
  items: readonly SharedItem[];
  shown: number;
  onShow: (index: number) => void;
}

function CandidateList({ items, shown, onShow }: ListProps) {
  return (
    <nav aria-label="Candidates" className="max-lg:-mx-4 max-lg:mb-3">
      <ul className="flex gap-2 max-lg:overflow-x-auto max-lg:px-4 max-lg:py-1 lg:flex-col">
        {items.map((item, index) => (
          <li key={item.n} className="max-lg:w-52 max-lg:shrink-0">
            <button
              type="button"
              aria-current={index === shown ? 'true' : undefined}
              onClick={() => onShow(index)}
              className={cn(
                'flex w-full items-center gap-3 rounded-lg border p-2 text-left transition-colors',
                index === shown ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:bg-hover',
              )}
            >
              <Thumbnail item={item} />
              <span className="min-w-0">
                <span className="block truncate font-medium">{item.name}</span>
                <ItemState item={item} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const Thumbnail = ({ item: { n, hasThumbnail } }: { item: SharedItem }) => (
  <span className="aspect-video w-16 shrink-0 overflow-hidden rounded-md bg-sunken">
    {hasThumbnail && <img src={linkUrl(`thumbnail/${n}`)} alt="" className="size-full object-cover" loading="lazy" />}
  </span>
);

function ItemState({ item: { verdict, durationSeconds } }: { item: SharedItem }) {
  if (verdict === null)
    return (
      <span className="block text-sm text-muted">{durationSeconds > 0 ? formatDuration(durationSeconds) : 'New'}</span>
    );
  const { label, icon: Icon, tone } = VERDICTS[verdict];
  return (
    <span className={cn('flex items-center gap-1 text-sm', tone)}>
      <Icon aria-hidden className="size-3.5" />
      {label}
    </span>
  );
}
