import { z } from 'zod';

/** The parts of a chat completion request that the sandbox uses. */
export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  temperature: z.number().min(0).max(2).optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({
          name: z.string().regex(/^[\w-]{1,64}$/),
          strict: z.boolean().optional(),
          schema: z.looseObject({ type: z.literal('object'), additionalProperties: z.literal(false) }),
        }),
      }),
    ])
    .optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;
