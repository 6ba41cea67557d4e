import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Setup } from '#contracts/setup.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';

type Step = Exclude<keyof Setup, 'sources'>;

interface Item {
  key: Step;
  label: string;
  /** How to do it. */
  advice: ReactNode;
}

const REQUIRED: readonly Item[] = [
  {
    key: 'interviewService',
    label: 'Connect the interview service',
    advice:
      'Add a funnel for Hireflix or uploads, or ask an admin to set INTERVIEW_SERVICE_URL and restart the server.',
  },
  {
    key: 'funnel',
    label: 'Add a funnel',
    advice: <GuideLink href="/funnels?dialog=create-funnel">Add New Funnel</GuideLink>,
  },
  {
    key: 'activeFunnel',
    label: 'Make it active',
    advice: (
      <>
        Choose Set Active on its card in <GuideLink href="/funnels">Funnels</GuideLink>.
      </>
    ),
  },
  { key: 'refreshed', label: 'Refresh', advice: 'Click the Refresh button at the top of this page.' },
];

const askAdminToSet = (variable: string) => `Ask an admin to set ${variable} and restart the server.`;

const OPTIONAL: readonly Item[] = [
  {
    key: 'youtube',
    label: 'YouTube',
    advice: 'Ask an admin to run npm run youtube:connect.',
  },
  { key: 'transcription', label: 'Transcription', advice: askAdminToSet('TRANSCRIPTION_URL') },
  { key: 'summaries', label: 'Summaries by a language model', advice: askAdminToSet('SUMMARY_URL') },
  { key: 'applicationLink', label: 'Links to job applications', advice: askAdminToSet('DESTINATION_URL') },
];

/** Lists what is left to set up. Empty once the required steps are done. */
export function SetupChecklist() {
  const { data: setup } = useQuery({ ...endpointQuery('/api/setup'), staleTime: 0 });
  if (!setup || REQUIRED.every(({ key }) => setup[key])) return null;
  return (
    <section
      aria-labelledby="setup-heading"
      className="mx-auto mt-5 max-w-xl rounded-xl border border-line bg-surface p-5 shadow-card"
    >
      <h2 id="setup-heading" className="font-semibold">
        Get started
      </h2>
      <Steps items={REQUIRED} setup={setup} />
      <h3 className="mt-4 text-sm font-medium text-muted">Optional</h3>
      <Steps items={OPTIONAL} setup={setup} />
    </section>
  );
}

const Steps = ({ items, setup }: { items: readonly Item[]; setup: Record<Step, boolean> }) => (
  <ul className="mt-2 flex flex-col gap-2">
    {items.map(({ key, label, advice }) => {
      const isDone = setup[key];
      const Icon = isDone ? CircleCheck : Circle;
      return (
        <li key={key} className="flex gap-2.5">
          <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', isDone ? 'text-success-ink' : 'text-faint')} />
          <div className="min-w-0">
            <p>
              {label}
              {isDone && <span className="sr-only"> (done)</span>}
            </p>
            {!isDone && <p className="text-sm break-words text-muted">{advice}</p>}
          </div>
        </li>
      );
    })}
  </ul>
);

function GuideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-accent-ink underline underline-offset-4">
      {children}
    </Link>
  );
}
