import { ExternalLink, Link2, Pencil } from 'lucide-react';
import type { Interview, ProcessingStatus } from '#contracts/interviews.ts';
import { type BadgeFacts, hasAllSteps } from '#contracts/rules/badges.ts';
import { DEFAULT_DESTINATION_URL, destinationUrl } from '#contracts/rules/destination.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { StateIcon, stateName, stepStates } from './step-state.tsx';

interface Props {
  interview: Interview;
  facts: BadgeFacts;
  onSet: () => void;
}

export function DestinationTab({ interview, facts, onSet }: Props) {
  const canSet = hasAllSteps(facts);
  const maySet = useMay()('POST /api/interviews/:id/destination');
  if (interview.destinationId === null) {
    if (!maySet) return <p className="text-xs text-faint">No destination yet.</p>;
    return (
      <>
        <Button size="sm" disabled={!canSet} onClick={onSet}>
          <Link2 aria-hidden />
          Set Destination
        </Button>
        {!canSet && <Requirements facts={facts} processing={interview.processingStatus} />}
      </>
    );
  }
  const link = interview.destinationUrl ?? destinationUrl(interview.destinationId) ?? DEFAULT_DESTINATION_URL;
  return (
    <>
      <Button size="sm" asChild>
        <a href={link} target="_blank" rel="noopener noreferrer">
          <ExternalLink aria-hidden />
          View Application
        </a>
      </Button>
      {maySet && (
        <Button size="sm" variant="ghost" disabled={!canSet} onClick={onSet}>
          <Pencil aria-hidden />
          Update
        </Button>
      )}
    </>
  );
}

const REQUIREMENTS = [
  { name: 'YouTube', label: 'Convert the video' },
  { name: 'Transcript', label: 'Generate the transcript' },
  { name: 'Summary', label: 'Generate the summary' },
] as const;

/** The steps that come before the destination, with a check mark for each that is done. */
function Requirements({ facts, processing }: { facts: BadgeFacts; processing: ProcessingStatus }) {
  const states = stepStates(facts, processing);
  return (
    <ul aria-label="Needed first" className="flex basis-full flex-wrap gap-x-3 text-xs leading-4 text-faint">
      {REQUIREMENTS.map(({ name, label }) => (
        <li key={name} className="flex items-center gap-1">
          <StateIcon state={states[name]} />
          {label}
          <span className="sr-only"> ({stateName(states[name])})</span>
        </li>
      ))}
    </ul>
  );
}
