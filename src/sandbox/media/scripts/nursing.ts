import type { Script } from '#sandbox/media/script.ts';

export const NURSING_SCRIPTS: Script[] = [
  {
    id: 'nurse-patient-safety',
    funnelId: 'nursing',
    person: 'woman',
    look: { skin: '#eec19c', hair: '#4a2c1a', hairStyle: 'bun', shirt: '#3a86a8', collar: 'scrubs', wall: '#e6f0ee', room: 'window' },
    voice: { name: 'en-us+f4', speed: 156, pitch: 50 },
    container: 'mp4',
    answers: [
      {
        question: 'Describe a time when you prevented harm to a patient.',
        sentences: [
          'On a night shift I was handed a dose that looked too high for a man of his weight.',
          'I stopped, checked the chart, and called the doctor before I gave anything.',
          'The decimal point had been written in the wrong place.',
          'We reported it together, and the ward now reads every such dose aloud.',
        ],
      },
      {
        question: 'How do you hand over at the end of a shift?',
        sentences: ['At the bedside, with the patient, in the same four steps every time, so that nothing is forgotten.'],
      },
    ],
  },
  {
    id: 'nurse-family',
    funnelId: 'nursing',
    person: 'man',
    look: { skin: '#e5b58a', hair: '#14100d', hairStyle: 'short', shirt: '#5a9367', collar: 'scrubs', wall: '#ece4f1', room: 'lamp', glasses: true },
    voice: { name: 'en-gb+m3', speed: 157, pitch: 46 },
    container: 'mp4',
    answers: [
      {
        question: 'How do you support a worried family?',
        sentences: [
          'I sit down with them, because people hear more when nobody is standing in a doorway.',
          'I tell them what we know, what we do not know yet, and when I will come back.',
          'Then I come back at that time, even if I have no news.',
        ],
      },
      {
        question: 'What if they are angry with you?',
        sentences: ['Anger is often fear. I listen, I do not defend myself, and I ask what they need to know tonight.'],
      },
    ],
  },
];
