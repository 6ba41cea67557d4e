/** Summaries as a person would write them, by the id of the recording's script. */
export interface WrittenSummary {
  overview: string;
  /** To ask the candidate. */
  questions: readonly string[];
}

export const WRITTEN_SUMMARIES: Readonly<Record<string, WrittenSummary>> = {
  'eng-design-system': {
    overview:
      'She led the design system of a travel company: four teams now share one React and TypeScript library, and new screens take half the time. She tests accessibility by keyboard, screen reader and automatic checks.',
    questions: ['Ask for an example of a component that the teams disagreed about.'],
  },
  'eng-slow-page': {
    overview:
      'He brought a product list on phones from eight seconds to under two by measuring first, splitting the code and shrinking images. A size budget in the build keeps it fast.',
    questions: ['Ask how he measures performance on real devices.', 'Ask for an example of work in a team.'],
  },
  'eng-types': {
    overview:
      'She uses types to change code that she did not write, and checks data where it enters the program. She prefers a simpler function to a clever type.',
    questions: ['Ask for a product that she followed from the first sketch to daily use.'],
  },
  'eng-disagreement': {
    overview:
      'He settled a dispute about state management by building the same screen twice with his colleague. They kept the best of both, and he trusts working examples more than documents.',
    questions: ['Ask how he reacts when the example speaks against him.'],
  },
  'eng-testing': {
    overview:
      'She tests what a user would notice: the whole purchase in a browser, and the rules about prices in many small tests. She describes her worst bug in production openly, and what it changed.',
    questions: ['Ask which tests she would delete first in an old project.'],
  },
  'eng-mentoring': {
    overview:
      'He helps junior developers by pairing weekly, asking questions in reviews and letting them hold the keyboard. Two of the people he mentored lead projects today.',
    questions: ['Ask for an example of his own recent code.', 'Ask what he does when someone does not improve.'],
  },
  'eng-career-change': {
    overview:
      'She taught physics for five years before she became a developer, and likes to explain difficult things. Shift plans matter to her: her mother is a nurse. She is learning how browsers paint a page.',
    questions: ['Ask for an example of learning on the job.', 'Ask which project she is proudest of.'],
  },
  'eng-forms': {
    overview:
      'She cut a form from nineteen fields to seven by asking each team what it does with its field; twice as many people finish it. She shows designers something that moves on the first day.',
    questions: ['Ask how she tests forms with assistive technology.'],
  },
  'eng-release': {
    overview:
      'He ships risky changes behind a switch, first to his own office and then to five percent a day. When a bug appeared on the third day, he turned the change off and went on the next morning.',
    questions: ['Ask who decides when a switch is removed.'],
  },
  'eng-offline': {
    overview:
      'He built an ordering application for a food market where the network disappears. Orders are stored on the device first; in two years none was lost. He enjoys it most when nobody notices.',
    questions: ['Ask how conflicts between two devices are solved.'],
  },
  'support-angry-customer': {
    overview:
      'She calmed a customer who was charged twice: she listened, repeated the problem, refunded on the line and called again the next morning. She declines early and offers one thing that she can do.',
    questions: ['Ask how many people she has led, and for how long.'],
  },
  'support-team-lead': {
    overview:
      'He led his team through nine hundred tickets in a day with a public status page, one clear answer and moved breaks. He watches the first reply time and reopened tickets.',
    questions: ['Ask how he coaches someone whose answers are fast and wrong.'],
  },
  'support-knowledge': {
    overview:
      'She noticed that every fifth ticket asked the same, wrote an illustrated article and had it linked where people need it. These questions fell by seventy percent in a month.',
    questions: ['Ask for an example of leading others.'],
  },
  'nurse-patient-safety': {
    overview:
      'She stopped a dose that looked too high, found the misplaced decimal point and reported it with the doctor. She hands over at the bedside in the same four steps.',
    questions: ['Ask when her licence has to be renewed.'],
  },
  'nurse-family': {
    overview:
      'He sits down with worried families, tells them what is known and when he will come back, and keeps that promise. He reads anger as fear and listens.',
    questions: ['Ask for an example of handing over after a difficult night.'],
  },
  'warehouse-safe-shift': {
    overview:
      'He starts each shift with a walk for hazards, plans heavy orders for the first hours and rotates places. His shift has had no accident for fourteen months, and its trucks leave on time.',
    questions: ['Ask whether he has a forklift licence.'],
  },
  'designer-proud-woman': {
    overview:
      'She redesigned a hospital’s application page; nine of ten people finish it on a phone now. She tests disagreements with five people, and wants to spend a shift with those who work at night.',
    questions: ['Ask to see the page before and after.'],
  },
  'designer-proud-man': {
    overview:
      'He drew icons for a ferry company that work in the rain and in six languages; a third fewer passengers got lost. He draws both sides of a disagreement, and wants to learn from research.',
    questions: ['Ask how he tested the icons.'],
  },
  'barista-guest-man': {
    overview:
      'He won over a guest who had sent back his coffee three times by making it while the guest watched. In his team the person with a free hand washes up.',
    questions: ['Ask when he can start.'],
  },
  'barista-guest-woman': {
    overview:
      'She counted the drawer with a guest who felt cheated, admitted the mistake and thanked her in front of the queue. Her team talks about mistakes the same day.',
    questions: ['Ask when she can start.'],
  },
};
