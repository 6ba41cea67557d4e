import { Download, Printer } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import { TRANSCRIPT_FORMATS } from '#contracts/transcripts.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { downloadTranscript, FORMAT_LABELS } from './download-transcript.ts';

export const ExportDialog = ({ interview, onClose }: { interview: Interview; onClose: () => void }) => (
  <Dialog onClose={onClose} title="Export" description={interview.title} size="sm">
    <section aria-labelledby="export-transcript">
      <h3 id="export-transcript" className="mb-2 font-medium">
        Transcript
      </h3>
      {interview.transcriptionStatus === 'completed' ? (
        <div className="flex flex-wrap gap-2">
          {TRANSCRIPT_FORMATS.map((format) => (
            <Button key={format} onClick={() => downloadTranscript(interview, format)}>
              <Download aria-hidden />
              {FORMAT_LABELS[format]}
            </Button>
          ))}
        </div>
      ) : (
        <p className="text-muted">This interview has no transcript yet.</p>
      )}
    </section>
    <section aria-labelledby="export-print" className="mt-5">
      <h3 id="export-print" className="mb-2 font-medium">
        Interview with reviews
      </h3>
      <Button asChild>
        <a href={`/print?${new URLSearchParams({ id: interview.id })}`} target="_blank" rel="noopener">
          <Printer aria-hidden />
          Print or save as PDF
        </a>
      </Button>
    </section>
  </Dialog>
);
