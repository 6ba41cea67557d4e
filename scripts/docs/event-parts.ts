import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { PERSONAL_FIELDS, PUBLIC_EVENTS, PublicActor } from '#contracts/public-events.ts';
import type { Parts } from './generate.ts';

/** The part of a JSON Schema that the catalog uses. */
interface Schema {
  description?: string;
  type?: string;
  enum?: readonly string[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
}

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
      field.description,
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
