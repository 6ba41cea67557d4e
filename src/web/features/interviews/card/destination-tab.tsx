import { ExternalLink, Link2, Pencil } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import { type BadgeFacts, hasAllSteps } from '#contracts/rules/badges.ts';
import { DEFAULT_DESTINATION_URL, destinationUrl } from '#contracts/rules/destination.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { StepText } from './step-tabs.tsx';

interface Props {
  interview: Interview;
  facts: BadgeFacts;
  onSet: () => void;
}

export function DestinationTab({ interview, facts, onSet }: Props) {
  const canSet = hasAllSteps(facts);
  if (interview.destinationId === null) {
    return (
      <>
        <Button size="sm" disabled={!canSet} onClick={onSet}>
          <Link2 aria-hidden />
          Set Destination
        </Button>
        {!canSet && <StepText>Convert the video and generate the transcript and summary first.</StepText>}
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
      <Button size="sm" variant="ghost" disabled={!canSet} onClick={onSet}>
        <Pencil aria-hidden />
        Update
      </Button>
    </>
  );
}
