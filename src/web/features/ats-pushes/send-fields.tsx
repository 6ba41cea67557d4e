import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AtsPush, getAtsPush } from '#contracts/ats-pushes.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Interview } from '#contracts/interviews.ts';
import type { ClientVerdict } from '#contracts/shares.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { RadioGroup } from '#web/ui/forms/radio-group.tsx';
import { Select } from '#web/ui/forms/select.tsx';

type Sendable = ResponseOf<typeof getAtsPush>;

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="min-w-0">
    <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
    {children}
  </section>
);

const AtsLink = ({ url, children }: { url: string; children: ReactNode }) => (
  <a href={url} target="_blank" rel="noopener noreferrer" className="inline-flex items-center gap-1 underline">
    {children}
    <ExternalLink aria-hidden className="size-3.5" />
  </a>
);

/** Explains why the note is missing, or when it was sent. */
export function PushState({ push, atsName }: { push: AtsPush; atsName: string }) {
  const { state, error, url, sentAt, isChanged } = push;
  if (state === 'failed')
    return (
      <Alert tone="danger" title={`Not sent to ${atsName}`}>
        {error}
      </Alert>
    );
  if (state === 'unclear')
    return (
      <Alert title={`It's unclear whether ${atsName} has the note`}>
        {error} Check now looks for it right away. It's never written twice.
      </Alert>
    );
  if (state === 'pending') return <Alert title={`Sending to ${atsName}`}>{error}</Alert>;
  return (
    <Alert title={isChanged ? 'Changed since it was sent' : `${atsName} has this note`}>
      {sentAt && `Sent ${formatDateTime(sentAt)}. `}
      {url && <AtsLink url={url}>Open in {atsName}</AtsLink>}
    </Alert>
  );
}

interface CandidateProps {
  data: Sendable;
  interview: Interview;
  candidateId: string | null;
  atsName: string;
  disabled: boolean;
  onChange: (id: string) => void;
}

export function CandidateChoice({ data, interview, candidateId, atsName, disabled, onChange }: CandidateProps) {
  const { candidates } = data;
  const [first] = candidates;
  if (!first)
    return (
      <Section title="Candidate">
        <p className="text-sm text-muted">
          {interview.candidateEmail
            ? `${atsName} has no candidate with the e-mail address ${interview.candidateEmail}. Add them there, then open this dialog again.`
            : `The interview has no e-mail address, so ${atsName} can't find the candidate.`}
        </p>
      </Section>
    );
  if (candidates.length === 1)
    return (
      <Section title="Candidate">
        <p className="text-sm break-words">
          {first.url ? <AtsLink url={first.url}>{first.name || first.id}</AtsLink> : first.name || first.id}
          <span className="text-muted"> · {first.email}</span>
        </p>
      </Section>
    );
  return (
    <Section title={`${candidates.length} candidates have this e-mail address. Choose one.`}>
      <RadioGroup
        label="Candidate"
        name="candidate"
        value={candidateId ?? ''}
        choices={candidates.map(({ id, name, email }) => ({
          value: id,
          label: name || id,
          description: `${email} · ${id}`,
        }))}
        onChange={onChange}
        disabled={disabled}
      />
    </Section>
  );
}

export function JobFacts({
  job,
  destinationId,
  atsName,
}: Pick<Sendable, 'job'> & { destinationId: string | null; atsName: string }) {
  return (
    <Section title="Job">
      {job ? (
        <p className="flex flex-wrap items-center gap-x-2 text-sm break-words">
          {job.url ? <AtsLink url={job.url}>{job.title}</AtsLink> : job.title}
          <span className="text-muted">{job.employerName}</span>
          {!job.isOpen && <Badge tone="warning">Closed</Badge>}
        </p>
      ) : (
        <p className="text-sm text-muted">
          {destinationId === null
            ? 'Set the destination first.'
            : `${atsName} has no job ${destinationId}. Update the destination.`}
        </p>
      )}
    </Section>
  );
}

const VERDICTS: Record<ClientVerdict, string> = { yes: 'Yes', maybe: 'Maybe', no: 'No' };
const NONE = '';

/** Lets the user add a client's verdict. Hidden until there is one. */
export function VerdictChoice({
  interviewId,
  shareId,
  onChange,
}: {
  interviewId: string;
  shareId: number | null;
  onChange: (shareId: number | null) => void;
}) {
  const { data: shares } = useQuery(endpointQuery('/api/shares', { query: { interviewId } }));
  const decided = (shares ?? []).flatMap(({ id, recipient, interviews }) => {
    const verdict = interviews.find((shared) => shared.interviewId === interviewId)?.verdict;
    return verdict ? [{ value: String(id), label: `${recipient.name}: ${VERDICTS[verdict]}` }] : [];
  });
  if (decided.length === 0) return null;
  return (
    <Section title="Client's verdict">
      <Select
        label="Client's verdict"
        value={shareId === null ? NONE : String(shareId)}
        options={[{ value: NONE, label: "Don't add it" }, ...decided]}
        onChange={(value) => onChange(value === NONE ? null : Number(value))}
      />
    </Section>
  );
}

export const NotePreview = ({ note, hasSummary }: { note: string; hasSummary: boolean }) => (
  <Section title="Note">
    {hasSummary ? (
      <p className="max-h-80 overflow-y-auto rounded-lg border border-line bg-sunken p-3 text-sm break-words whitespace-pre-line">
        {note}
      </p>
    ) : (
      <p className="text-sm text-muted">Generate the summary first. The note contains it.</p>
    )}
  </Section>
);
