import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { PERSONAL_FIELDS, PUBLIC_EVENTS, PublicActor } from '#contracts/public-events.ts';
import type { Parts } from './generate.ts';

/** The part of a JSON Schema that the catalog uses. */
interface Schema {
  type?: string;
  enum?: readonly string[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
}

const DESCRIPTIONS: Record<string, string> = {
  link: 'The page of the event. Absent without `PUBLIC_URL`',
  interviewId: 'The id of the interview',
  funnelId: 'The id of the funnel in this product',
  title: 'The title of the interview',
  candidate: 'The candidate, without unknown fields',
  error: 'Why it failed',
  recipient: "The recipient's name",
  runId: 'The id of the refresh',
  cause: 'What started it',
  isCanceled: 'True if a user canceled it',
  counts: 'Numbers of interviews',
  isFirst: 'True only the first time',
  shareId: 'The id of the link',
  ats: 'The applicant tracking system',
  isUpdate: 'True if an existing note was updated',
  isUnclear: 'True if the system may have stored the note',
  text: 'The edited text',
  destinationId: 'The employer and the job that were set',
  step: 'The processing step',
  verdict: "The recipient's decision",
};

/** Every public event with its data, the kinds of actors, and the example of a receiver. */
export async function eventParts(): Promise<Parts> {
  const receiver = await readFile(new URL('../../docs/examples/webhook-receiver.mjs', import.meta.url), 'utf8');
  const events = Object.entries(PUBLIC_EVENTS).map(([name, { summary, data }]) =>
    [`### ${name}`, summary, '', ...fieldTable(schemaOf(data))].join('\n'),
  );
  return {
    receiver: `\`\`\`js\n${receiver.trimEnd()}\n\`\`\``,
    kinds: typeOf(schemaOf(PublicActor).properties?.kind ?? {}),
    events: events.join('\n\n'),
  };
}

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema) as Schema;

function fieldTable({ properties = {}, required = [] }: Schema): string[] {
  const rows = Object.entries(properties).map(([name, field]) => {
    const isPersonal = PERSONAL_FIELDS.includes(name);
    const notes = [
      DESCRIPTIONS[name],
      isPersonal && 'personal',
      !isPersonal && !required.includes(name) && name !== 'link' && 'optional',
    ];
    return `| \`${name}\` | ${typeOf(field)} | ${notes.filter(Boolean).join('; ')} |`;
  });
  return ['| Field of `data` | Type | |', '| --- | --- | --- |', ...rows];
}

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

function typeOf({ type, enum: values, anyOf, properties }: Schema): string {
  if (values) return list(values);
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (properties) return `{ ${list(Object.keys(properties))} }`;
  return type ?? '';
}
