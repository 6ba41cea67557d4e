import { CircleCheck, CircleDashed, CircleDot, type LucideIcon } from 'lucide-react';
import {
  EXPECTATION_LABELS,
  type SummaryQuote,
  type SummaryStructure,
  VERDICT_LABELS,
  type Verdict,
} from '#contracts/summaries.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDuration } from '#web/lib/format.ts';

const LOOKS: Record<Verdict, { Icon: LucideIcon; tone: string }> = {
  met: { Icon: CircleCheck, tone: 'text-success-ink' },
  partly: { Icon: CircleDot, tone: 'text-warning-ink' },
  'not shown': { Icon: CircleDashed, tone: 'text-muted' },
};

interface Props {
  structure: SummaryStructure;
  /** Plays a quote. Without it, quotes are only text. */
  onSeek?: (seconds: number) => void;
}

/** A structured summary: each expectation of the funnel with its verdict and quotes. */
export function SummaryView({ structure, onSeek }: Props) {
  const { overview, expectations, openQuestions } = structure;
  return (
    <div className="flex flex-col gap-6">
      <section>
        <h3 className="mb-1.5 font-semibold">Overview</h3>
        <p className="leading-relaxed break-words whitespace-pre-wrap">{overview}</p>
      </section>
      {expectations.map((expectation) => (
        <Expectation key={expectation.field} {...expectation} {...(onSeek && { onSeek })} />
      ))}
      {openQuestions.length > 0 && (
        <section>
          <h3 className="mb-1.5 font-semibold">Open questions</h3>
          <ul className="list-disc space-y-1 pl-5">
            {openQuestions.map((question, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fixed order; questions can repeat
              <li key={index}>{question}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

type ExpectationProps = SummaryStructure['expectations'][number] & Pick<Props, 'onSeek'>;

function Expectation({ field, expectation, verdict, note, quotes, onSeek }: ExpectationProps) {
  const { Icon, tone } = LOOKS[verdict];
  return (
    <section>
      <h3 className="flex flex-wrap items-center gap-x-3 font-semibold">
        {EXPECTATION_LABELS[field]}{' '}
        <span className={cn('inline-flex items-center gap-1 text-sm font-medium', tone)}>
          <Icon aria-hidden className="size-4" />
          {VERDICT_LABELS[verdict]}
        </span>
      </h3>
      <p className="mt-0.5 text-sm text-muted">Expected: {expectation}</p>
      {note && <p className="mt-1.5 leading-relaxed">{note}</p>}
      {quotes.map((quote, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fixed order; quotes can repeat
        <Quote key={index} {...quote} {...(onSeek && { onSeek })} />
      ))}
    </section>
  );
}

function Quote({ text, startSeconds, onSeek }: SummaryQuote & Pick<Props, 'onSeek'>) {
  const time = startSeconds !== null && (
    <span className="ml-2 text-xs whitespace-nowrap tabular-nums">{formatDuration(Math.floor(startSeconds))}</span>
  );
  return (
    <blockquote className="mt-2 border-l-2 border-line pl-3 text-muted">
      {onSeek && startSeconds !== null ? (
        <button
          type="button"
          className="text-left hover:text-ink forced-colors:px-1.5"
          onClick={() => onSeek(startSeconds)}
        >
          “{text}”{time}
        </button>
      ) : (
        <>
          “{text}”{time}
        </>
      )}
    </blockquote>
  );
}
