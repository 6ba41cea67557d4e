import { useQuery } from '@tanstack/react-query';
import { Cable, FileUp, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Funnel } from '#contracts/funnels.ts';
import { DEFAULT_SOURCE, FUNNEL_SOURCES, type FunnelSource, SOURCES } from '#contracts/sources.ts';
import { useActivateFunnel } from '#web/features/funnels/activate-funnel.ts';
import { SampleButton } from '#web/features/uploads/sample-button.tsx';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { OptionalServices } from './optional-services.tsx';

/** Leads from an empty installation to the first job. Empty once a funnel is active. */
export function FirstRun() {
  const mayCreate = useMay()('POST /api/funnels');
  const { data: setup } = useQuery({ ...endpointQuery('/api/setup'), staleTime: 0 });
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  if (!setup || !funnels || setup.activeFunnel) return null;
  return (
    <section
      aria-labelledby="first-run"
      className="mb-5 rounded-xl border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      {funnels.length === 0 ? <FirstJob sources={setup.sources} /> : <ChooseJob funnels={funnels} />}
      {mayCreate && (
        <div className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2">
          <SampleButton funnels={funnels} />
          <p className="text-sm text-muted">Adds one short interview to a funnel named Sample.</p>
        </div>
      )}
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
  /** The form starts with the first of them that the server offers. */
  sources: readonly FunnelSource[];
}

const VENDORS = FUNNEL_SOURCES.filter((source) => SOURCES[source].isRefreshed && source !== DEFAULT_SOURCE);
const namesOf = (sources: readonly FunnelSource[]) => sources.map((source) => SOURCES[source].name);

const CHOICES: readonly Choice[] = [
  {
    title: 'REST service',
    text: 'Read a job from your own interview service.',
    icon: <Cable />,
    sources: [DEFAULT_SOURCE],
  },
  {
    title: namesOf(VENDORS).join(' or '),
    text: 'Read a position with your API key.',
    icon: <Video />,
    sources: VENDORS,
  },
  {
    title: 'Uploads',
    text: 'Upload recordings for a job.',
    icon: <FileUp />,
    sources: FUNNEL_SOURCES.filter((source) => !SOURCES[source].isRefreshed),
  },
];

/** They need no administrator. */
const READY = [...namesOf(VENDORS.filter((source) => SOURCES[source].variables.length === 0)), 'uploads'];

function FirstJob({ sources }: { sources: readonly FunnelSource[] }) {
  const choices = CHOICES.map((choice) => ({
    ...choice,
    offered: choice.sources.find((source) => sources.includes(source)),
  }));
  return (
    <>
      <Heading title="Add your first job">
        {new Intl.ListFormat('en').format(READY)} work right away. Another service? Ask your admin.
      </Heading>
      <ul className="mt-4 grid gap-3 md:grid-cols-3">
        {choices
          .toSorted((a, b) => Number(b.offered !== undefined) - Number(a.offered !== undefined))
          .map((choice) => (
            <li key={choice.title} className="flex">
              <SourceCard {...choice} />
            </li>
          ))}
      </ul>
    </>
  );
}

const CARD = 'flex w-full gap-3 rounded-lg border border-line p-4';

interface SourceCardProps extends Pick<Choice, 'title' | 'text' | 'icon'> {
  /** Undefined if an administrator has to connect it first. */
  offered: FunnelSource | undefined;
}

function SourceCard({ title, text, icon, offered }: SourceCardProps) {
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
        <span className="block text-sm text-muted">{offered ? text : 'Ask an admin to connect it.'}</span>
      </span>
    </>
  );
  if (!offered) return <div className={cn(CARD, 'border-dashed text-muted')}>{content}</div>;
  return (
    <Link
      href={`/funnels?dialog=create-funnel&id=${offered}`}
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
