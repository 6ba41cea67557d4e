import type { SharedItem, SharedPage } from '#contracts/shares.ts';

/** The page of a link to candidates without videos and texts, which asks for decisions. */
export const aSharedPage = (...items: Partial<SharedItem>[]): SharedPage => ({
  ...{ title: 'Two team leads', message: null, recipient: 'Ann Lee', sender: 'dana' },
  ...{ expiresAt: '2026-12-09T12:00:00.000Z', mayComment: false, mayDecide: true },
  items: items.map((item, index) => ({
    ...{ n: index + 1, name: 'Ada', title: 'Team lead', contact: null, durationSeconds: 0, hasVideo: false },
    ...{ hasThumbnail: false, transcript: null, segments: [], summary: null, questions: null },
    ...{ verdict: null, verdictNote: null, comments: [], ...item },
  })),
});
