import { ExternalLink, Link2, Pencil } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import type { BadgeFacts } from '#contracts/rules/badges.ts';
import { DEFAULT_DESTINATION_URL, destinationUrl } from '#contracts/rules/destination.ts';
import { Button } from '#web/ui/button.tsx';

interface Props {
  interview: Interview;
  facts: BadgeFacts;
  onSet: () => void;
}

/** A destination can be set once the video is converted and both texts are there (section 4). */
const isReady = ({ youtubeId, transcriptionStatus, summaryStatus }: BadgeFacts) =>
  youtubeId !== null && transcriptionStatus === 'completed' && summaryStatus === 'completed';

export function DestinationTab({ interview, facts, onSet }: Props) {
  const ready = isReady(facts);
  if (interview.destinationId === null) {
    return (
      <>
        <Button size="sm" disabled={!ready} onClick={onSet}>
          <Link2 aria-hidden />
          Set Destination
        </Button>
        {!ready && <p className="text-xs text-faint">Needs the converted video, the transcript and the summary</p>}
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
      <Button size="sm" variant="ghost" disabled={!ready} onClick={onSet}>
        <Pencil aria-hidden />
        Update
      </Button>
    </>
  );
}
