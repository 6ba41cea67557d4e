import { createInterface } from 'node:readline/promises';
import { NothingDone } from './nothing-done.ts';
import type { Terminal } from './read-password.ts';

/** Asks a question that only "yes" answers. @throws NothingDone for any other answer, and where nobody can be asked */
export async function confirm(terminal: Terminal, question: string): Promise<void> {
  if (!terminal.input.isTTY)
    throw new NothingDone(`${question}\nNobody can be asked here: add --yes to do it. Nothing was changed.`);
  const lines = createInterface({ ...terminal, historySize: 0 });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([lines.question(`${question} Type yes to go on: `), ended]);
    if (answer.trim().toLowerCase() !== 'yes') throw new NothingDone('Nothing was changed.');
  } finally {
    lines.close();
  }
}
