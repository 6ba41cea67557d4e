import type { Interview } from '#contracts/interviews.ts';
import { plainText } from '#contracts/rules/plain-text.ts';
import type { VIDEO_PLACEHOLDERS, VideoToPublish } from '#server/ports/video-host.ts';

type Texts = Pick<VideoToPublish, 'title' | 'description'>;
type Values = Record<(typeof VIDEO_PLACEHOLDERS)[number], string>;

/** Leaves room for an interview id in the 100 characters of a YouTube title. */
const MAX_FUNNEL_NAME_LENGTH = 60;

/** Fills the configured templates. In a template, `\n` starts a new line. */
export function fillVideoTexts(templates: Texts, interview: Interview, funnelName: string): Texts {
  const values: Values = {
    funnelName: funnelName.slice(0, MAX_FUNNEL_NAME_LENGTH),
    clientName: interview.clientName ?? '',
    interviewId: interview.id,
    interviewTitle: interview.title,
    candidateName: interview.candidateName ?? '',
    candidateEmail: interview.candidateEmail ?? '',
    recordedDate: interview.recordedDate.slice(0, 10),
    questions: interview.processingStatus.questions
      .map(({ question }, index) => `${index + 1}. ${plainText(question)}`)
      .join('\n'),
  };
  return { title: fill(templates.title, values), description: fill(templates.description, values) };
}

const fill = (template: string, values: Values): string =>
  template
    .replaceAll('\\n', '\n')
    .replace(/\{(\w+)\}/g, (placeholder, name: string) => (name in values ? values[name as keyof Values] : placeholder))
    .trim();
