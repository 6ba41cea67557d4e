import { decodePath } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { escaped, sendPage } from '#sandbox/http/page.ts';

const ATS_PREFIX = '/ats';
/** Matches the raw URL, because an encoded slash is part of an id. */
const JOB = new RegExp(`^${ATS_PREFIX}/employers/([^/?]+)/jobs/([^/?]+)/?(?:\\?|$)`);

/** The value for `DESTINATION_URL`. */
export const destinationTemplate = (origin: string) => `${origin}${ATS_PREFIX}/employers/{employerId}/jobs/{jobId}`;

/**
 * The applicant tracking system behind the application links: a page for every job of every
 * employer.
 */
export const atsMount = (): Mount => ({
  name: 'ats',
  prefix: ATS_PREFIX,
  handle(exchange) {
    const [, employer, job] = JOB.exec(exchange.request.url ?? '') ?? [];
    const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
    if (!employer || !job || !isRead)
      return sendPage(exchange, { status: 404, title: 'Job not found', body: '<p>Check the link.</p>' });
    const [employerId, jobId] = [decodePath(employer), decodePath(job)].map(escaped);
    sendPage(exchange, {
      title: 'Job application',
      body: `<dl><dt>Employer</dt><dd>${employerId}</dd><dt>Job</dt><dd>${jobId}</dd></dl>
<p>The interview that you were sent belongs to this application.</p>
<p class="note">The sandbox shows this page instead of the applicant tracking system.</p>`,
    });
  },
});
