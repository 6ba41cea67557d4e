import type { Script } from '#sandbox/media/script.ts';

export const ENGINEERING_SCRIPTS: Script[] = [
  {
    id: 'eng-design-system',
    funnelId: 'engineering',
    person: 'woman',
    look: { skin: '#8d5a3c', hair: '#1f1512', hairStyle: 'curly', shirt: '#e0a526', collar: 'round', wall: '#dfe9ea', room: 'plant' },
    voice: { name: 'en-gb-x-rp+f2', speed: 158, pitch: 52 },
    container: 'mp4',
    answers: [
      {
        question: 'Tell us about a React project you are proud of.',
        sentences: [
          'Last year I led the design system of a travel company.',
          'Four teams were drawing the same button in four different ways, so we wrote one library in React and TypeScript and documented every component.',
          'Six months later new screens took half the time.',
        ],
      },
      {
        question: 'How do you make sure an interface is accessible?',
        sentences: [
          'I start with plain HTML, because a real button already works with the keyboard.',
          'Then I test each page with a screen reader, and we run automatic checks on every pull request.',
        ],
      },
    ],
  },
  {
    id: 'eng-slow-page',
    funnelId: 'engineering',
    person: 'man',
    look: { skin: '#f1c9a5', hair: '#6b4226', hairStyle: 'short', shirt: '#2f5d8a', collar: 'shirt', wall: '#f2e8d8', room: 'shelf', glasses: true },
    voice: { name: 'en-us+m3', speed: 160, pitch: 44 },
    container: 'mp4',
    answers: [
      {
        question: 'Describe a performance problem you solved.',
        sentences: [
          'Our product list took eight seconds to open on a phone.',
          'I measured first, and most of the time went into one enormous bundle and into images that were far too large.',
          'We split the code by route, served smaller pictures, and rendered only the visible rows.',
          'After that the page opened in under two seconds.',
        ],
      },
      {
        question: 'How do you keep it fast afterwards?',
        sentences: ['We added a size budget to the build, so a pull request that makes the bundle heavier has to explain why.'],
      },
    ],
  },
  {
    id: 'eng-types',
    funnelId: 'engineering',
    person: 'woman',
    look: { skin: '#f6d3b8', hair: '#b5542a', hairStyle: 'long', shirt: '#3f7f6b', collar: 'round', wall: '#e7e1f0', room: 'window' },
    voice: { name: 'en-gb-scotland+f4', speed: 156, pitch: 50 },
    container: 'mp4',
    answers: [
      {
        question: 'What do you like about TypeScript?',
        sentences: [
          'Types let me change code that I did not write.',
          'When our payment provider renamed a field, the compiler listed every place that had to change, and we were done by lunch.',
          'I describe data once, check it where it enters the program, and trust the type everywhere else.',
        ],
      },
      {
        question: 'When do types get in the way?',
        sentences: ['When people get clever. If a type needs a comment longer than the function, I write a simpler function.'],
      },
    ],
  },
  {
    id: 'eng-disagreement',
    funnelId: 'engineering',
    person: 'man',
    look: { skin: '#5c3a26', hair: '#120d0b', hairStyle: 'short', shirt: '#a63d40', collar: 'round', wall: '#dce6f2', room: 'lamp', beard: true },
    voice: { name: 'en-029+m2', speed: 155, pitch: 38 },
    container: 'mp4',
    answers: [
      {
        question: 'Tell us about a technical disagreement in your team.',
        sentences: [
          'A colleague wanted to move all our state into one global store, and I thought most of it belonged to the server.',
          'Instead of arguing, we each rebuilt the same screen in one afternoon.',
          'His version was easier to debug, mine had half the code, and in the end we kept a small store and cached the rest.',
        ],
      },
      {
        question: 'What did you learn from it?',
        sentences: ['A working example ends a discussion faster than any document.'],
      },
    ],
  },
  {
    id: 'eng-testing',
    funnelId: 'engineering',
    person: 'woman',
    look: { skin: '#e8b98e', hair: '#17130f', hairStyle: 'bob', shirt: '#7a4e9c', collar: 'shirt', wall: '#f4e3df', room: 'frames', glasses: true },
    voice: { name: 'en-us+f3', speed: 162, pitch: 55 },
    container: 'mp4',
    answers: [
      {
        question: 'How do you decide what to test?',
        sentences: [
          'I test what a user would notice if it broke.',
          'For a checkout that means a browser test of the whole purchase, and many small tests for the rules about prices and taxes.',
          'I avoid tests that only repeat the code, because they fail whenever somebody improves it.',
        ],
      },
      {
        question: 'What was your worst bug in production?',
        sentences: ['I once cached a page together with the name of the logged in user. We fixed it in ten minutes, and the review of that week became our security checklist.'],
      },
    ],
  },
  {
    id: 'eng-mentoring',
    funnelId: 'engineering',
    person: 'man',
    look: { skin: '#c98f63', hair: '#2a1c14', hairStyle: 'curly', shirt: '#3a3f4b', collar: 'round', wall: '#e3eddc', room: 'window', beard: true },
    voice: { name: 'en-gb+m1', speed: 158, pitch: 42 },
    container: 'webm',
    answers: [
      {
        question: 'How do you help junior developers grow?',
        sentences: [
          'I pair with them for an hour on Mondays, and they choose the topic.',
          'In code reviews I ask questions before I suggest anything, because the author often finds the better answer alone.',
          'When something breaks, I let them hold the keyboard while I describe what I would look at.',
          'Two of the people I mentored now lead their own projects.',
        ],
      },
    ],
  },
  {
    id: 'eng-career-change',
    funnelId: 'engineering',
    person: 'woman',
    look: { skin: '#d9a47a', hair: '#3b6ea5', hairStyle: 'scarf', shirt: '#24496e', collar: 'round', wall: '#f3ead3', room: 'shelf' },
    voice: { name: 'en-us+f2', speed: 156, pitch: 48 },
    container: 'mp4',
    answers: [
      {
        question: 'Why do you want to work with us?',
        sentences: [
          'I was a physics teacher for five years before I became a developer, so explaining difficult things is what I enjoy most.',
          'Your product helps hospitals plan their shifts, and my mother is a nurse.',
          'I know what a good plan means for a family.',
        ],
      },
      {
        question: 'Which skill are you working on now?',
        sentences: ['Right now I am learning how browsers paint a page, so that our animations stay smooth on old devices.'],
      },
    ],
  },
  {
    id: 'eng-microphone-off',
    funnelId: 'engineering',
    person: 'man',
    look: { skin: '#f0cdb0', hair: '#d8d4cc', hairStyle: 'bald', shirt: '#4b7a47', collar: 'shirt', wall: '#dfe3ea', room: 'frames', beard: true },
    voice: { name: 'en-us+m1', speed: 155, pitch: 40 },
    container: 'mp4',
    silent: true,
    answers: [
      {
        question: 'Walk us through a feature you built from start to finish.',
        sentences: [
          'I planned, built and released the calendar of our booking application.',
          'First I watched six people book a room, and I wrote down every place where they hesitated.',
          'It works with the keyboard alone, and it speaks eleven languages.',
          'I am very happy with it, and I hope that my microphone is on.',
        ],
      },
    ],
  },
  {
    id: 'eng-forms',
    funnelId: 'engineering',
    person: 'woman',
    look: { skin: '#7a4b31', hair: '#2b1a12', hairStyle: 'long', shirt: '#d9694f', collar: 'shirt', wall: '#e4ecf3', room: 'frames' },
    voice: { name: 'en-029+f4', speed: 157, pitch: 51 },
    container: 'mp4',
    answers: [
      {
        question: 'Which interface did you simplify?',
        sentences: [
          'Our sign up form had nineteen fields, and half of the people left at the seventh.',
          'I asked each team what it did with its field, and for twelve of them the answer was nothing.',
          'The new form has seven fields, and twice as many people finish it.',
        ],
      },
      {
        question: 'How do you work with designers?',
        sentences: [
          'I build a rough version on the first day, so that we discuss something that moves.',
        ],
      },
    ],
  },
  {
    id: 'eng-release',
    funnelId: 'engineering',
    person: 'man',
    look: { skin: '#e9bd95', hair: '#c9a24b', hairStyle: 'curly', shirt: '#587a9c', collar: 'round', wall: '#f1e6dc', room: 'plant' },
    voice: { name: 'en-gb-scotland+m2', speed: 158, pitch: 43 },
    container: 'mp4',
    answers: [
      {
        question: 'How do you ship a risky change?',
        sentences: [
          'I hide it behind a switch, and I give it to our own office first.',
          'When we replaced the calendar, we turned it on for five percent each day and watched the errors.',
          'On the third day we turned it off, fixed one bug, and went on the next morning.',
        ],
      },
    ],
  },
  {
    id: 'eng-offline',
    funnelId: 'engineering',
    person: 'man',
    look: { skin: '#4a2e1f', hair: '#0f0b09', hairStyle: 'bald', shirt: '#6f8f5a', collar: 'shirt', wall: '#ece9dd', room: 'window', glasses: true },
    voice: { name: 'en-us+m5', speed: 156, pitch: 39 },
    container: 'mp4',
    answers: [
      {
        question: 'Tell us about software that must always work.',
        sentences: [
          'I built the ordering application of a food market, where the network disappears behind every second stall.',
          'Orders are stored on the device first and sent when there is a connection.',
          'In two years not a single order was lost.',
        ],
      },
      {
        question: 'What did you enjoy most?',
        sentences: [
          'Standing at a stall on a Saturday and seeing that nobody noticed the network was gone.',
        ],
      },
    ],
  },
];
