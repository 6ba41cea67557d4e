import { type Config, readConfig } from '#server/config/config.ts';
import type { FoundCandidate, Subject } from '#server/features/candidates/candidates.service.ts';
import { type Command, parseArguments, type Terminal, UsageError } from './command.ts';
import { eraseCandidate } from './erase-candidate.ts';
import { exportCandidate, plural } from './export-candidate.ts';
import { type OpenedCandidates, openCandidates } from './open-candidates.ts';

const USAGE = `Usage:
  npm run candidate -- find TEXT
  npm run candidate -- export EMAIL… [FILE] [--interview ID]… [--files FOLDER]
  npm run candidate -- erase EMAIL… [--interview ID]… [--yes]

find lists the interviews whose id, name, email, phone or title contains TEXT. Use it when a
candidate has several emails or none.
export writes everything stored about a candidate as JSON to FILE, or to standard output, and copies
recordings and thumbnails to FOLDER. A FILE whose name contains @ must begin with ./ or /.
erase removes it, including files, mentions in the logs and published videos, and keeps it from
coming back with the next refresh. It asks for confirmation.
--interview adds an interview by its id. For a candidate without an email, name every interview.
The server may be running.
`;

type Action = (opened: OpenedCandidates, context: { config: Config; terminal: Terminal }) => Promise<string>;

const INTERVIEW = { interview: { type: 'string', multiple: true } } as const;

/** Reads the arguments first, so that wrong ones are reported before the database is opened. */
const ACTIONS: Record<string, (args: string[]) => Action> = {
  find(args) {
    const [text = ''] = parseArguments(args, {}, ['TEXT']).positionals;
    if (text.trim() === '') throw new UsageError('TEXT is empty.');
    return (opened) => findCandidates(opened, text.trim());
  },
  export(args) {
    const { values, positionals } = parseArguments(args, { ...INTERVIEW, files: { type: 'string' } }, ['…']);
    const [file = null, ...more] = positionals.filter((text) => !isEmail(text));
    if (more.length > 0) throw new UsageError('Too many arguments.');
    const subject = readSubject(positionals.filter(isEmail), values.interview);
    return (opened) => exportCandidate(opened, { subject, file, filesFolder: values.files ?? null });
  },
  erase(args) {
    const { values, positionals } = parseArguments(args, { ...INTERVIEW, yes: { type: 'boolean' } }, ['…']);
    const other = positionals.find((text) => !isEmail(text));
    if (other !== undefined)
      throw new UsageError(`${other} is not an email address. For the id of an interview use --interview ${other}.`);
    const subject = readSubject(positionals, values.interview);
    return (opened, context) => eraseCandidate(opened, { subject, isConfirmed: values.yes ?? false }, context);
  },
};

const isEmail = (text: string): boolean => text.includes('@') && !/^\.{0,2}[/\\]/.test(text);

function readSubject(emails: readonly string[], interviewIds: readonly string[] = []): Subject {
  if (emails.length + interviewIds.length === 0) throw new UsageError('Missing EMAIL or --interview ID.');
  if (interviewIds.includes('')) throw new UsageError('The id of --interview is empty.');
  return { emails: emails.map((email) => email.trim()), interviewIds };
}

export const candidateCommand: Command = {
  usage: USAGE,
  async run([verb = '', ...args], { environment, terminal }) {
    const readAction = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (!readAction) throw new UsageError(verb === '' ? 'Missing command.' : `Unknown command ${verb}.`);
    const action = readAction(args);
    const config = readConfig(environment);
    await using opened = await openCandidates(config);
    return await action(opened, { config, terminal });
  },
};

/** More would scroll away; a longer text finds fewer. */
const MAX_SHOWN = 100;

/** Lists the interviews that match the text, with their ids and emails for an export or erasure. */
async function findCandidates({ candidates }: OpenedCandidates, text: string): Promise<string> {
  const found = await candidates.search(text);
  const more = found.length - MAX_SHOWN;
  return [
    `${plural(found.length, 'interview')} found.`,
    ...found.slice(0, MAX_SHOWN).map(describeFound),
    ...(more > 0 ? [`${more} more are not shown. Search for a longer text.`] : []),
  ].join('\n');
}

function describeFound({ id, candidate, interview, deletedAt }: FoundCandidate): string {
  const person = [candidate.name, candidate.email, candidate.phone].filter((part) => part !== null && part !== '');
  const origin = interview
    ? `"${interview.title}" in ${interview.funnel}, recorded ${day(interview.recordedAt)}`
    : deletedAt
      ? `deleted with its funnel ${day(deletedAt)}`
      : 'an upload that is not an interview yet';
  return `  ${printable(id)}: ${printable(person.join(', ') || 'no name, email or phone')}\n    ${printable(origin)}`;
}

const day = (moment: Date) => moment.toISOString().slice(0, 10);

/** Candidates choose their names: control characters must not reach the terminal. */
const printable = (text: string): string => text.replace(/\p{C}+/gu, ' ');
