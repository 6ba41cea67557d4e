import type { z } from 'zod';

/** The names of the fields of an input, which may be an object behind `preprocess`; none without one. */
export function fieldNames(schema: z.ZodType | undefined): string[] {
  const input = schema as z.ZodObject | z.ZodPipe<z.ZodType, z.ZodObject> | undefined;
  const shape = input && ('shape' in input ? input.shape : input.def.out.shape);
  return Object.keys(shape ?? {});
}
