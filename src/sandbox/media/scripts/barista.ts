import type { Script } from '#sandbox/media/script.ts';

const MAN = {
  person: 'man',
  look: { skin: '#d8a77c', hair: '#3a2417', hairStyle: 'short', shirt: '#4a3b32', collar: 'round', wall: '#efe2cf', room: 'shelf', beard: true },
  voice: { name: 'en-us+m7', speed: 157, pitch: 41 },
} satisfies Pick<Script, 'person' | 'look' | 'voice'>;
const WOMAN = {
  person: 'woman',
  look: { skin: '#9a6541', hair: '#2a1711', hairStyle: 'curly', shirt: '#7d9a6b', collar: 'round', wall: '#f3e9e0', room: 'lamp' },
  voice: { name: 'en-gb+f2', speed: 158, pitch: 54 },
} satisfies Pick<Script, 'person' | 'look' | 'voice'>;

/** One recording for each answer, as VideoAsk stores them. The second question is answered in text. */
export const BARISTA_SCRIPTS: Script[] = [
  {
    id: 'barista-guest-man',
    funnelId: 'barista',
    ...MAN,
    container: 'mp4',
    answers: [
      {
        question: 'Tell us about a difficult guest.',
        sentences: [
          'A guest sent back his coffee three times on a full morning.',
          'I asked him to show me the cup he likes, made it while he watched, and he has come every day since.',
        ],
      },
    ],
  },
  {
    id: 'barista-team-man',
    funnelId: 'barista',
    ...MAN,
    container: 'mp4',
    answers: [
      {
        question: 'What makes a good team?',
        sentences: [
          'Whoever has a free hand washes up, and nobody needs to be asked.',
        ],
      },
    ],
  },
  {
    id: 'barista-guest-woman',
    funnelId: 'barista',
    ...WOMAN,
    container: 'mp4',
    answers: [
      {
        question: 'Tell us about a difficult guest.',
        sentences: [
          'A lady was sure that we had given her the wrong change.',
          'I counted the drawer with her, she was right, and I thanked her in front of the queue.',
        ],
      },
    ],
  },
  {
    id: 'barista-team-woman',
    funnelId: 'barista',
    ...WOMAN,
    container: 'mp4',
    answers: [
      {
        question: 'What makes a good team?',
        sentences: [
          'We tell each other what went wrong before we go home, and then it is over.',
        ],
      },
    ],
  },
];
