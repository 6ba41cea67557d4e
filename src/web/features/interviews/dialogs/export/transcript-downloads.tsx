import { Download } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import { TRANSCRIPT_FORMATS } from '#contracts/transcripts.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/overlays/dropdown-menu.tsx';
import { downloadTranscript, FORMAT_LABELS } from './download-transcript.ts';

/** `hasTimes`: also as subtitles and captions. */
export const TranscriptDownloads = ({ interview, hasTimes }: { interview: Interview; hasTimes: boolean }) => (
  <DropdownMenu
    trigger={
      <Button size="icon" variant="ghost" aria-label="Download transcript" title="Download transcript">
        <Download aria-hidden />
      </Button>
    }
  >
    {TRANSCRIPT_FORMATS.filter((format) => hasTimes || format === 'txt').map((format) => (
      <MenuItem key={format} label={FORMAT_LABELS[format]} onSelect={() => downloadTranscript(interview, format)} />
    ))}
  </DropdownMenu>
);
