import type { Script } from '#sandbox/media/script.ts';

export const WAREHOUSE_SCRIPTS: Script[] = [
  {
    id: 'warehouse-safe-shift',
    funnelId: 'warehouse',
    person: 'man',
    look: { skin: '#f0c6a0', hair: '#8a5a2b', hairStyle: 'short', shirt: '#e2762b', collar: 'vest', wall: '#dde2e6', room: 'shelf', beard: true },
    voice: { name: 'en-us+m6', speed: 158, pitch: 36 },
    container: 'mp4',
    answers: [
      {
        question: 'How do you keep a warehouse shift safe and on time?',
        sentences: [
          'Every shift starts with a five minute walk, and whoever finds a blocked exit gets to choose the radio station.',
          'I plan the heavy orders for the first hours, when everybody is fresh, and I change places on the line after the break.',
          'We have had no accident for fourteen months, and our trucks leave on time.',
        ],
      },
    ],
  },
];
