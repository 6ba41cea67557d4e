import { useQuery } from '@tanstack/react-query';
import { Cable, FileUp, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Funnel } from '#contracts/funnels.ts';
import type { FunnelSource } from '#contracts/sources.ts';
import { useActivateFunnel } from '#web/features/funnels/funnel-actions.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { OptionalServices } from './optional-services.tsx';
import { SampleButton } from './sample-button.tsx';

/** Leads from an empty installation to the first job. Empty once a funnel is active. */
export function FirstRun() {
  const { data: setup } = useQuery({ ...endpointQuery('/api/setup'), staleTime: 0 });
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  if (!setup || !funnels || setup.activeFunnel) return null;
  return (
    <section
      aria-labelledby="first-run"
      className="mb-5 rounded-xl border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      {funnels.length === 0 ? <FirstJob sources={setup.sources} /> : <ChooseJob funnels={funnels} />}
      <div className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2">
        <SampleButton funnels={funnels} />
        <p className="text-sm text-muted">Adds one short interview to a funnel named Sample.</p>
      </div>
      <div className="mt-5 border-t border-line pt-4">
        <h3 className="mb-3 text-sm font-medium text-muted">Optional</h3>
        <OptionalServices setup={setup} className="lg:grid-cols-4" />
      </div>
    </section>
  );
}

const Heading = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h2 id="first-run" className="text-lg font-semibold">
      {title}
    </h2>
    <p className="mt-1 text-muted">{children}</p>
  </>
);

interface Choice {
  title: string;
  text: string;
  icon: ReactNode;
  /** The source that the form starts with. */
  source: FunnelSource;
}

const CHOICES: readonly Choice[] = [
  { title: 'REST service', text: 'Read a job from your own interview service.', icon: <Cable />, source: 'rest' },
  { title: 'Hireflix or VideoAsk', text: 'Read a position with your API key.', icon: <Video />, source: 'hireflix' },
  { title: 'Uploads', text: 'Upload recordings for a job.', icon: <FileUp />, source: 'upload' },
];

const FirstJob = ({ sources }: { sources: readonly FunnelSource[] }) => (
  <>
    <Heading title="Add your first job">Hireflix and uploads work right away. Another service? Ask your admin.</Heading>
    <ul className="mt-4 grid gap-3 md:grid-cols-3">
      {CHOICES.toSorted((a, b) => Number(sources.includes(b.source)) - Number(sources.includes(a.source))).map(
        (choice) => (
          <li key={choice.source} className="flex">
            <SourceCard {...choice} isOffered={sources.includes(choice.source)} />
          </li>
        ),
      )}
    </ul>
  </>
);

const CARD = 'flex w-full gap-3 rounded-lg border border-line p-4';

function SourceCard({ title, text, icon, source, isOffered }: Choice & { isOffered: boolean }) {
  const content = (
    <>
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-lg bg-sunken text-faint [&_svg]:size-5"
      >
        {icon}
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-muted">{isOffered ? text : 'Ask an admin to connect it.'}</span>
      </span>
    </>
  );
  if (!isOffered) return <div className={cn(CARD, 'border-dashed text-muted')}>{content}</div>;
  return (
    <Link
      href={`/funnels?dialog=create-funnel&id=${source}`}
      className={cn(CARD, 'shadow-card transition-colors hover:bg-hover')}
    >
      {content}
    </Link>
  );
}

/** More are on the page of the funnels. */
const MAX_LISTED = 5;

function ChooseJob({ funnels }: { funnels: readonly Funnel[] }) {
  const activate = useActivateFunnel();
  return (
    <>
      <Heading title="Choose which job to refresh">
        Set one funnel active. You can change it at any time in{' '}
        <Link href="/funnels" className="text-accent-ink underline underline-offset-4">
          Funnels
        </Link>
        .
      </Heading>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {funnels.slice(0, MAX_LISTED).map(({ id, name, clientName }) => (
          <li key={id} className="flex items-center gap-3 py-2.5">
            <p id={`choice-${id}`} className="min-w-0 grow truncate">
              {name} {clientName && <span className="text-muted">{clientName}</span>}
            </p>
            <Button
              size="sm"
              aria-describedby={`choice-${id}`}
              pending={activate.isPending && activate.variables.params.id === id}
              onClick={() => activate.mutate({ params: { id } })}
            >
              Set Active
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
