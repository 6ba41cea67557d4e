import type { Interview } from '#contracts/interviews.ts';
import { parseJson } from '#contracts/rules/parse-json.ts';
import type { TranscriptFormat } from '#contracts/transcripts.ts';
import { saveTextFile } from '#web/lib/export-text.ts';
import { toast } from '#web/lib/toast.ts';

export const FORMAT_LABELS: Record<TranscriptFormat, string> = {
  txt: 'Text',
  srt: 'Subtitles (SRT)',
  vtt: 'Captions (WebVTT)',
};

/** Downloads the transcript, or shows why it is not available in this format. */
export async function downloadTranscript({ id, title }: Pick<Interview, 'id' | 'title'>, format: TranscriptFormat) {
  const url = `/api/interviews/${encodeURIComponent(id)}/transcript.${format}`;
  const response = await fetch(url, { credentials: 'include' }).catch(() => null);
  const text = await response?.text().catch(() => null);
  if (response?.ok && text != null) saveTextFile(`${title} - transcript.${format}`, text);
  else {
    const { message } = Object(parseJson(text ?? '')) as { message?: string };
    const description = message ?? 'Check your connection and try again.';
    toast({ title: "Couldn't download the transcript", description, variant: 'destructive' });
  }
}
