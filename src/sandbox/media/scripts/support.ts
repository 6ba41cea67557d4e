import type { Script } from '#sandbox/media/script.ts';

export const SUPPORT_SCRIPTS: Script[] = [
  {
    id: 'support-angry-customer',
    funnelId: 'customer-support',
    person: 'woman',
    look: { skin: '#f3cfb3', hair: '#d6a74a', hairStyle: 'bun', shirt: '#c65d7b', collar: 'shirt', wall: '#dcebe4', room: 'lamp' },
    voice: { name: 'en-gb+f4', speed: 158, pitch: 54 },
    container: 'mp4',
    answers: [
      {
        question: 'Tell us about a conflict with a customer and how you resolved it.',
        sentences: [
          'A customer called because we had charged him twice on the day before his holiday.',
          'I let him finish, I repeated the problem in my own words, and I told him exactly what I would do in the next ten minutes.',
          'I refunded the money while he was on the line and called him again the next morning.',
          'He is still a customer today.',
        ],
      },
      {
        question: 'What do you do when you cannot say yes?',
        sentences: ['I say no early, I explain the reason, and I always offer one thing that I can do.'],
      },
    ],
  },
  {
    id: 'support-team-lead',
    funnelId: 'customer-support',
    person: 'man',
    look: { skin: '#a8703f', hair: '#1b1411', hairStyle: 'short', shirt: '#f0f2f5', collar: 'shirt', wall: '#c9d8e8', room: 'plant' },
    voice: { name: 'en-us+m4', speed: 160, pitch: 40 },
    container: 'mp4',
    answers: [
      {
        question: 'How do you lead a support team through a busy week?',
        sentences: [
          'During our last outage we received nine hundred tickets in one day.',
          'I put two people on a public status page, gave everybody else one clear answer to send, and moved the breaks instead of cancelling them.',
          'By evening the queue was empty, and nobody on the team had to stay late.',
        ],
      },
      {
        question: 'Which numbers do you watch?',
        sentences: ['First reply time and how often a ticket is reopened. A fast answer that is wrong costs us twice.'],
      },
    ],
  },
  {
    id: 'support-knowledge',
    funnelId: 'customer-support',
    person: 'woman',
    look: { skin: '#6f4630', hair: '#241713', hairStyle: 'bun', shirt: '#2d8f8a', collar: 'round', wall: '#f5e6cf', room: 'frames', glasses: true },
    voice: { name: 'en-029+f2', speed: 154, pitch: 50 },
    container: 'mp4',
    answers: [
      {
        question: 'How have you improved a support process?',
        sentences: [
          'I noticed that every fifth ticket asked how to change an invoice address.',
          'I wrote a short help article with three pictures and asked our developers to link it on the invoice page.',
          'Within a month those questions fell by seventy percent, and the team had time for the difficult cases.',
        ],
      },
    ],
  },
];
