import { readFileSync } from 'node:fs';
import { buildASTSchema, type DocumentNode, type GraphQLSchema, Kind, parse, visit } from 'graphql';

const SDL = parse(readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8'));

const schemas = new Map<string, GraphQLSchema>();

/**
 * Returns the schema without these fields, such as `InterviewType.completed`, to simulate another
 * version of the service.
 */
export function schemaWithout(fields: readonly string[]): GraphQLSchema {
  const key = fields.join(' ');
  const schema = schemas.get(key) ?? buildASTSchema(documentWithout(fields));
  schemas.set(key, schema);
  return schema;
}

const documentWithout = (fields: readonly string[]): DocumentNode =>
  visit(SDL, {
    [Kind.OBJECT_TYPE_DEFINITION]: (type) => ({
      ...type,
      fields: type.fields?.filter(({ name }) => !fields.includes(`${type.name.value}.${name.value}`)),
    }),
  });
