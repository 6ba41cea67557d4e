import {
  Archive,
  ArchiveRestore,
  Columns3,
  Download,
  FileText,
  type LucideIcon,
  MapPin,
  ScrollText,
  Share2,
  Sparkles,
  Upload,
  X,
} from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { BulkAction } from '#contracts/bulk.ts';
import { MAX_COMPARED } from '#contracts/exports.ts';
import type { Interview } from '#contracts/interviews.ts';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import { compareUrl } from '#web/features/interviews/exports/compared-ids.ts';
import { csvUrl, type InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { formatNumber } from '#web/lib/format.ts';
import { byKey } from '#web/lib/keys.ts';
import { useMay } from '#web/lib/may.ts';
import { toast } from '#web/lib/toast.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { useShortcut } from '#web/lib/use-shortcut.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { BulkDestinationDialog } from './bulk-destination-dialog.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { ACTION_LABELS, useShownBulkRunId } from './bulk-runs.ts';
import { BULK_KEYS, takeEarlyKey } from './early-keys.ts';
import { clearSelection, countSelected, type Selection, selectMatches, selectPage } from './selection.ts';
import { targetOf, useStartBulk } from './use-start-bulk.tsx';

interface Props {
  selection: Selection;
  filters: InterviewFilters;
  /** The number of interviews that match the filters. */
  total: number;
  /** The interviews on the page. */
  listed: readonly Interview[];
}

const DESTINATION = 'bulk-destination';
const SHARE = 'bulk-share';
const ShareDialog = lazyPart(() => import('#web/features/shares/share-dialog.tsx').then((m) => m.ShareDialog));

const BulkSendButton = lazyPart(() =>
  import('#web/features/ats-pushes/bulk-send-button.tsx').then((m) => m.BulkSendButton),
);

/** The actions for the selected interviews, and the progress of the run they started. */
export function BulkBar(props: Props) {
  const { selection } = props;
  const runId = useShownBulkRunId();
  const count = countSelected(selection);
  if (count === 0 && runId === null) return null;
  return (
    // Sticky, with its own room below the list: it covers neither the pager nor the last interview.
    <div
      data-bulk-bar
      className="sticky bottom-3 z-20 mx-auto mt-6 flex w-fit max-w-full flex-col rounded-xl border border-line bg-raised shadow-pop"
    >
      {runId !== null && <BulkProgress key={runId} id={runId} />}
      {count > 0 && <Actions {...props} />}
    </div>
  );
}

const ACTIONS: readonly BulkAction[] = ['convert', 'transcribe', 'summarize', 'process', 'setDestination', 'archive'];
const ACTIONS_FOR_ARCHIVED: readonly BulkAction[] = ['unarchive'];

const ICONS: Partial<Record<BulkAction, LucideIcon>> = {
  convert: Upload,
  transcribe: FileText,
  summarize: ScrollText,
  process: Sparkles,
  setDestination: MapPin,
  archive: Archive,
  unarchive: ArchiveRestore,
};

/** Shorter on phones. */
const SET_DESTINATION = (
  <span>
    <span className="max-md:sr-only">Set </span>Destination
  </span>
);

/**
 * The open dialog about the selection. After a reload, the URL may have one about a selection that
 * no longer exists.
 */
function useBulkDialog() {
  const { dialog, open, close } = useDialog([DESTINATION, SHARE]);
  const [isOutdated, setOutdated] = useState(dialog !== null);
  const closeOutdated = useEffectEvent(() => {
    if (isOutdated) close();
    setOutdated(false);
  });
  useEffect(() => closeOutdated(), []);
  return { dialog: isOutdated ? null : dialog, open, close };
}

function Actions({ selection, filters, total, listed }: Props) {
  const label = useId();
  const { dialog, open, close } = useBulkDialog();
  const may = useMay();
  const canShare = may('POST /api/shares') && selection.matches === null;
  const share = () => {
    if (!canShare) return;
    if (count <= SHARE_LIMITS.interviews) open(SHARE);
    else toast({ title: `Select at most ${SHARE_LIMITS.interviews} interviews to share.`, variant: 'warning' });
  };
  const finish = () => {
    // The focused button disappears: move the focus into the page.
    document.querySelector('main')?.focus({ preventScroll: true });
    clearSelection();
  };
  const { start, isPending, question } = useStartBulk({
    onStarted: () => {
      close();
      finish();
    },
  });
  const count = countSelected(selection);
  const target = targetOf(selection);
  const actions = !may('POST /api/bulk') ? [] : filters.archived ? ACTIONS_FOR_ARCHIVED : ACTIONS;
  const run = (action: BulkAction) => {
    if (!actions.includes(action)) return;
    if (action === 'setDestination') open(DESTINATION);
    else start({ action, target });
  };
  const acts = byKey<keyof typeof BULK_KEYS, () => void>(BULK_KEYS, {
    archive: () => run('archive'),
    summarize: () => run('summarize'),
    setDestination: () => run('setDestination'),
    share,
    close: finish,
  });
  useShortcut({ keys: Object.keys(acts) }, (key) => acts[key]?.());
  useEffect(() => {
    const key = takeEarlyKey(selection);
    if (key) acts[key]?.();
  });
  return (
    <section
      aria-labelledby={label}
      className="flex items-center gap-1 p-1.5 max-lg:flex-wrap max-lg:justify-center max-md:gap-0 max-md:px-0.5"
    >
      <p id={label} className="pl-2.5 text-sm font-medium whitespace-nowrap tabular-nums">
        {formatNumber(count)} selected
      </p>
      {/* Far from Archive. */}
      <Button size="icon-sm" variant="ghost" aria-label="Clear selection" onClick={finish}>
        <X aria-hidden />
      </Button>
      <SelectPage selection={selection} listed={listed} />
      <SelectAll {...{ selection, filters, total }} />
      {actions.length > 0 && <ActionButtons actions={actions} count={count} pending={isPending} onClick={run} />}
      {!filters.archived && may('POST /api/interviews/:id/ats') && (
        <BulkSendButton count={count} pending={isPending} onClick={() => start({ action: 'sendToAts', target })} />
      )}
      {canShare && (
        <Button size="sm" variant="ghost" data-command={`Share: ${formatNumber(count)} selected`} onClick={share}>
          <Share2 aria-hidden className="md:hidden" />
          Share
        </Button>
      )}
      <CompareButton {...{ selection, listed }} />
      <ExportLink {...{ selection, filters, count }} />
      {dialog === SHARE && (
        <ShareDialog
          ids={[...selection.ids]}
          known={listed.filter(({ id }) => selection.ids.has(id))}
          onClose={close}
        />
      )}
      {dialog === DESTINATION && (
        <BulkDestinationDialog
          count={count}
          target={target}
          known={listed.filter(({ id }) => selection.matches !== null || selection.ids.has(id))}
          pending={isPending}
          onSave={(destination) => start({ action: 'setDestination', target, ...destination })}
          onClose={close}
        />
      )}
      {question}
    </section>
  );
}

function CompareButton({ selection: { ids, matches }, listed }: Pick<Props, 'selection' | 'listed'>) {
  if (matches || ids.size < 2) return null;
  const jobs = new Set(listed.flatMap(({ id, funnelIdNum }) => (ids.has(id) ? funnelIdNum : [])));
  const compare = () => {
    if (ids.size > MAX_COMPARED)
      toast({ title: `Select at most ${MAX_COMPARED} interviews to compare.`, variant: 'warning' });
    else if (jobs.size > 1) toast({ title: 'Select interviews of one job to compare.', variant: 'warning' });
    else navigate(compareUrl([...ids]));
  };
  return (
    <Button size="sm" variant="ghost" data-command={`Compare: ${formatNumber(ids.size)} selected`} onClick={compare}>
      <Columns3 aria-hidden className="md:hidden" />
      Compare
    </Button>
  );
}

/** With more individually selected interviews, the URL would be too long. */
const MAX_EXPORTED_IDS = 200;

function ExportLink({
  selection: { ids, matches },
  filters,
  count,
}: Pick<Props, 'selection' | 'filters'> & { count: number }) {
  const isTooLong = matches === null && count > MAX_EXPORTED_IDS;
  return (
    <Button size="sm" variant="ghost" asChild>
      <a
        href={matches ? csvUrl(matches.filters) : csvUrl(filters, ids)}
        download
        data-command={`Export as CSV: ${formatNumber(count)} selected`}
        onClick={(event) => {
          if (!isTooLong) return;
          event.preventDefault();
          toast({ title: `Select at most ${MAX_EXPORTED_IDS} interviews, or all that match.`, variant: 'warning' });
        }}
      >
        <Download aria-hidden className="md:hidden" />
        Export
      </a>
    </Button>
  );
}

/** Leaves the small row of phones to `SelectAll`. */
function SelectPage({ selection: { ids, matches }, listed }: Pick<Props, 'selection' | 'listed'>) {
  if (matches || listed.every(({ id }) => ids.has(id))) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      data-command="Select page"
      onClick={() => selectPage(listed.map(({ id }) => id))}
      className="max-md:hidden"
    >
      Select page
    </Button>
  );
}

/** Stays after its click, so that a double click does not reach the action next to it. */
function SelectAll({ selection: { ids, matches }, filters, total }: Pick<Props, 'selection' | 'filters' | 'total'>) {
  if (matches)
    return (
      <Button size="sm" variant="ghost" aria-disabled>
        All {formatNumber(matches.total)} that match
      </Button>
    );
  if (total <= ids.size) return null;
  return (
    <Button size="sm" variant="ghost" onClick={() => selectMatches(filters, total)}>
      Select all {formatNumber(total)} that match
    </Button>
  );
}

interface ActionButtonsProps {
  count: number;
  actions: readonly BulkAction[];
  pending: boolean;
  onClick: (action: BulkAction) => void;
}

/**
 * Small screens show the actions in a separate row, phones with icons. In forced colors their
 * borders take space, so phones show two rows.
 */
const ActionButtons = ({ actions, count, pending, onClick }: ActionButtonsProps) => (
  <div className="contents max-lg:order-1 max-lg:flex max-lg:flex-wrap max-lg:justify-around max-lg:has-[>:nth-child(2)]:w-full max-md:forced-colors:has-[>:nth-child(2)]:grid max-md:forced-colors:grid-cols-3 max-md:forced-colors:gap-1 max-md:forced-colors:px-1">
    {actions.map((action) => {
      const Icon = ICONS[action];
      return (
        <Button
          key={action}
          size="sm"
          variant="ghost"
          pending={pending}
          data-command={`${ACTION_LABELS[action]}: ${formatNumber(count)} selected`}
          onClick={() => onClick(action)}
          className="max-md:flex-col max-md:gap-0.5 max-md:px-0 max-md:text-[0.6875rem] max-md:leading-4 max-md:tracking-tight"
        >
          {!pending && Icon && <Icon aria-hidden className="md:hidden" />}
          {action === 'setDestination' ? SET_DESTINATION : ACTION_LABELS[action]}
        </Button>
      );
    })}
  </div>
);
