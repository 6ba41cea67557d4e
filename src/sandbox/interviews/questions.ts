/** Questions that recordings do not answer, by funnel, with the markup that real services send. */
export const MORE_QUESTIONS: Record<string, readonly string[]> = {
  engineering: [
    'What would you look at <b>first</b> in an unknown code base?',
    'Please introduce yourself.<br>Tell us:<br>- where you are based<br>- when you could start',
    'Which part of <i>CSS</i> do you still find difficult, and how do you deal with it?',
    'How do you work with designers?\nGive one example.',
    'Describe a <b>code review</b> that changed your mind.',
  ],
  'customer-support': [
    'Please introduce yourself in <b>two minutes</b>.',
    'A colleague answers rudely.<br>What do you do?',
    'Which <i>tools</i> have you used to answer customers?',
    'How do you write a reply that customers understand at once?',
  ],
  nursing: [
    'Why did you become a <b>nurse</b>?',
    'How do you look after yourself during a row of <i>night shifts</i>?',
    'What does good teamwork on a ward look like?\nWhat spoils it?',
  ],
  warehouse: [
    'Which <b>licences</b> do you hold?',
    'A colleague on your shift is always late.<br>What do you do?',
    'How do you explain a new process to <i>fifteen</i> people?',
  ],
};

/** Markup that an author pasted into the question editor; readers must strip it. */
export const HOSTILE_QUESTIONS = [
  '<b>Tell us about yourself.</b><script>window.__sandboxScriptRan = true</script>',
  'Where do you see yourself in <b>three years</b>?<img src="x" onerror="window.__sandboxImageRan = true">',
] as const;
