import type { Script } from '#sandbox/media/script.ts';

const WOMAN = {
  person: 'woman',
  look: { skin: '#f2c9ad', hair: '#5a3825', hairStyle: 'bob', shirt: '#4f6d8f', collar: 'round', wall: '#e9e4da', room: 'plant' },
  voice: { name: 'en-gb-x-rp+f3', speed: 158, pitch: 53 },
} satisfies Pick<Script, 'person' | 'look' | 'voice'>;
const MAN = {
  person: 'man',
  look: { skin: '#b57f52', hair: '#1a120d', hairStyle: 'long', shirt: '#d8c7a1', collar: 'round', wall: '#dde7e3', room: 'frames', beard: true },
  voice: { name: 'en-us+m2', speed: 158, pitch: 42 },
} satisfies Pick<Script, 'person' | 'look' | 'voice'>;

/** One recording for each answer, as Hireflix stores them: a woman and a man answer every question. */
export const DESIGNER_SCRIPTS: Script[] = [
  {
    id: 'designer-proud-woman',
    funnelId: 'product-designer',
    ...WOMAN,
    container: 'mp4',
    answers: [
      {
        question: 'Which work are you proud of?',
        sentences: [
          'I redesigned the page on which people apply for a job at a hospital.',
          'Before, every second person gave up; now nine of ten finish it on a phone.',
        ],
      },
    ],
  },
  {
    id: 'designer-disagreement-woman',
    funnelId: 'product-designer',
    ...WOMAN,
    container: 'mp4',
    answers: [
      {
        question: 'How do you handle a disagreement?',
        sentences: [
          'I ask what we would need to see to change our minds, and then we test exactly that with five people.',
        ],
      },
    ],
  },
  {
    id: 'designer-learn-woman',
    funnelId: 'product-designer',
    ...WOMAN,
    container: 'mp4',
    answers: [
      {
        question: 'What would you like to learn here?',
        sentences: [
          'I have never designed for people who work at night, and I would like to spend a shift with them.',
        ],
      },
    ],
  },
  {
    id: 'designer-proud-man',
    funnelId: 'product-designer',
    ...MAN,
    container: 'mp4',
    answers: [
      {
        question: 'Which work are you proud of?',
        sentences: [
          'I drew a set of icons for a ferry company that people understand in the rain and in six languages.',
          'Lost passengers at the terminal fell by a third.',
        ],
      },
    ],
  },
  {
    id: 'designer-disagreement-man',
    funnelId: 'product-designer',
    ...MAN,
    container: 'mp4',
    answers: [
      {
        question: 'How do you handle a disagreement?',
        sentences: [
          'I draw both ideas, because most arguments are about pictures that are only in our heads.',
        ],
      },
    ],
  },
  {
    id: 'designer-learn-man',
    funnelId: 'product-designer',
    ...MAN,
    container: 'mp4',
    answers: [
      {
        question: 'What would you like to learn here?',
        sentences: [
          'How your research team decides whom to ask, because I have always had to guess.',
        ],
      },
    ],
  },
];
