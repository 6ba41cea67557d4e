import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError, type Terminal } from './command.ts';

/**
 * Asks for a new password twice without showing it. Without a terminal, reads the first line of the
 * input instead.
 * @throws CommandError when the input is ended, empty, or the two passwords differ
 */
export async function readNewPassword(terminal: Terminal): Promise<string> {
  if (!terminal.input.isTTY) return firstLine(await text(terminal.input));
  const password = await askHidden(terminal, 'New password: ');
  const repeated = await askHidden(terminal, 'Repeat the password: ');
  if (password !== repeated) throw new CommandError("The passwords don't match. Nothing was changed.");
  return password;
}

function firstLine(piped: string): string {
  const [line = ''] = piped.split(/\r?\n/, 1);
  if (line === '') throw new CommandError('Standard input contains no password. Nothing was changed.');
  return line;
}

/** The terminal is in raw mode and echoes nothing; what readline would draw is discarded. */
async function askHidden({ input, output }: Terminal, question: string): Promise<string> {
  output.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      // Ctrl-C and Ctrl-D.
      lines.once('SIGINT', () => reject(canceled()));
      lines.once('close', () => reject(canceled()));
    });
  } finally {
    lines.close();
    output.write('\n');
  }
}

/** Asks the questions one after the other. @throws CommandError when the input ends */
export async function askQuestions(terminal: Terminal, questions: readonly string[]): Promise<string[]> {
  using lines = createInterface({ ...terminal, historySize: 0 });
  const ended = new Promise<never>((_, reject) => lines.once('close', () => reject(canceled())));
  ended.catch(() => {});
  const answers: string[] = [];
  for (const question of questions) answers.push((await Promise.race([lines.question(question), ended])).trim());
  return answers;
}

/**
 * Continues only after the answer "yes".
 * @throws CommandError for any other answer, and without a terminal
 */
export async function confirm(terminal: Terminal, question: string): Promise<void> {
  if (!terminal.input.isTTY)
    throw new CommandError(`${question}\nNo terminal to confirm in. Run again with --yes. Nothing was changed.`);
  const [answer = ''] = await askQuestions(terminal, [`${question} Type yes to continue: `]);
  if (answer.toLowerCase() !== 'yes') throw canceled();
}

const canceled = () => new CommandError('Canceled. Nothing was changed.');
