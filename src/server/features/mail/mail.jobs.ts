import { z } from 'zod';
import { defineJob } from '#server/jobs/job.ts';

export const SEND_MAIL = { name: 'mail.send', payload: z.object({ mailId: z.int() }) };

/** Covers lost processes and database failures for more than two days. `Mail` retries the rest. */
const RETRIES = 3_000;
/** A slow server must not delay the mails behind it for long. */
const CONCURRENCY = 4;

export const sendMailJob = (sendMail: (mailId: number, signal: AbortSignal) => Promise<void>) =>
  defineJob({
    ...SEND_MAIL,
    retries: RETRIES,
    concurrency: CONCURRENCY,
    run: ({ mailId }, { signal }) => sendMail(mailId, signal),
  });
