import type { ServiceInterview } from '#sandbox/interview.ts';

type Change = (interview: ServiceInterview) => Partial<ServiceInterview>;

/**
 * Markup that an author pasted into the question editor, after the question; readers must strip it.
 */
const HOSTILE_MARKUP = [
  '<script>window.__sandboxScriptRan = true</script>',
  '<img src="x" onerror="window.__sandboxImageRan = true">',
] as const;

const LONG_TITLE = `Senior Frontend Engineer – ${'who has also led the platform, the design system and the accessibility guild of the company, '.repeat(4)}and would rather keep coding`;

/**
 * Unusual interviews that real lists contain, by funnel and position from the oldest (0). Tests
 * select them by name.
 */
export const EDGE_CASES: Record<string, { funnelId: string; at: number; change: Change }> = {
  noVideo: { funnelId: 'engineering', at: 38, change: () => ({ videoUrl: null, durationSeconds: 0 }) },
  noEmail: {
    funnelId: 'engineering',
    at: 37,
    change: ({ candidate }) => ({ candidate: { ...candidate, email: null } }),
  },
  noName: {
    funnelId: 'engineering',
    at: 35,
    change: () => ({ title: 'Senior Frontend Engineer', candidate: { email: 'applicant.7841@example.com' } }),
  },
  noCandidate: {
    funnelId: 'engineering',
    at: 20,
    change: () => ({ title: 'Senior Frontend Engineer', candidate: null }),
  },
  noDuration: { funnelId: 'engineering', at: 36, change: () => ({ durationSeconds: 0 }) },
  noDurationEither: { funnelId: 'engineering', at: 24, change: () => ({ durationSeconds: 0 }) },
  longTitle: { funnelId: 'engineering', at: 33, change: () => ({ title: LONG_TITLE }) },
  unicodeName: {
    funnelId: 'engineering',
    at: 34,
    change: () => ({
      title: 'Senior Frontend Engineer – 陳 美玲 (Chén Měilíng)',
      candidate: { name: '陳 美玲 (Chén Měilíng)', email: 'meiling.chen@example.com', phone: '+886 2 5550 0142' },
    }),
  },
  noThumbnail: { funnelId: 'engineering', at: 32, change: () => ({ thumbnailUrl: null }) },
  hostileQuestion: { funnelId: 'engineering', at: 39, change: (interview) => withFirstQuestion(interview, 0) },
  hostileImage: { funnelId: 'engineering', at: 31, change: (interview) => withFirstQuestion(interview, 1) },
  noQuestions: { funnelId: 'engineering', at: 12, change: () => ({ questions: [] }) },
  noDescription: { funnelId: 'customer-support', at: 4, change: () => ({ description: null }) },
  rightToLeftName: {
    funnelId: 'customer-support',
    at: 12,
    change: () => ({
      title: 'Customer Support Lead – ليلى حداد',
      candidate: { name: 'ليلى حداد', email: 'layla.haddad@example.com', phone: null },
    }),
  },
  noDurationSupport: { funnelId: 'customer-support', at: 11, change: () => ({ durationSeconds: 0 }) },
  missingFields: {
    funnelId: 'nursing',
    at: 1,
    change: () => ({ description: undefined, updatedAt: undefined, recordedAt: null, questions: null }) as never,
  },
};

/** Returns the interviews with the edge cases of their funnel applied. */
export function applyEdgeCases(funnelId: string, interviews: ServiceInterview[]): ServiceInterview[] {
  const changed = [...interviews];
  for (const edge of Object.values(EDGE_CASES)) {
    const interview = changed[edge.at];
    if (edge.funnelId === funnelId && interview) changed[edge.at] = { ...interview, ...edge.change(interview) };
  }
  return changed;
}

function withFirstQuestion({ questions }: ServiceInterview, which: 0 | 1): Partial<ServiceInterview> {
  const [first, ...rest] = questions ?? [];
  return { questions: [{ position: 0, question: `${first?.question ?? ''}${HOSTILE_MARKUP[which]}` }, ...rest] };
}
