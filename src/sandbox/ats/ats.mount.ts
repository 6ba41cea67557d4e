import { escaped, sendPage } from '../google/page.ts';
import type { Mount } from '../http/mount.ts';

const ATS_PREFIX = '/ats';
/** In the address as it was sent: an encoded slash belongs to an id. */
const JOB = new RegExp(`^${ATS_PREFIX}/employers/([^/?]+)/jobs/([^/?]+)/?(?:\\?|$)`);

/** What `DESTINATION_URL` is set to. */
export const destinationTemplate = (origin: string) => `${origin}${ATS_PREFIX}/employers/{employerId}/jobs/{jobId}`;

/** The applicant tracking system that an application link opens: a page for every job of every employer. */
export const atsMount = (): Mount => ({
  name: 'ats',
  prefix: ATS_PREFIX,
  isOutsideWorld: true,
  handle(exchange) {
    const [, employer, job] = JOB.exec(exchange.request.url ?? '') ?? [];
    const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
    if (!employer || !job || !isRead)
      return sendPage(exchange, { status: 404, title: 'There is no such job', body: '<p>Please check the link.</p>' });
    const [employerId, jobId] = [decoded(employer), decoded(job)].map(escaped);
    sendPage(exchange, {
      title: 'Job application',
      body: `<dl><dt>Employer</dt><dd>${employerId}</dd><dt>Job</dt><dd>${jobId}</dd></dl>
<p>The interview that you were sent belongs to this application.</p>
<p class="note">This page stands in for the applicant tracking system while you try things out.</p>`,
    });
  },
});

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
