import type { z } from 'zod';

/**
 * The field names of an input object, which may be wrapped in `preprocess`. Empty for other inputs.
 */
export function fieldNames(schema: z.ZodType | undefined): string[] {
  const input = schema as z.ZodObject | z.ZodPipe<z.ZodType, z.ZodObject> | undefined;
  const shape = input && ('shape' in input ? input.shape : input.def.out.shape);
  return Object.keys(shape ?? {});
}
