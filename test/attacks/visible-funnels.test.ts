import { expect, test } from 'vitest';
import { getInterview } from '#contracts/interviews.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { signedInAs } from '#support/people.ts';
import { startApp } from '#support/start-app.ts';

/** An interview of a funnel that the recruiter sees, and one of a funnel that the recruiter does not see. */
async function twoFunnels() {
  const product = await startApp({ jobs: false });
  const admin = await product.signedIn();
  const own = await product.build.funnel(admin, { name: 'Own', funnelId: 'own' });
  const hidden = await product.build.funnel(admin, { name: 'Hidden', funnelId: 'hidden' });
  await insertInterviews(product.db, [
    { id: 'own-1', funnelId: own },
    { id: 'hidden-1', funnelId: hidden },
  ]);
  const recruiter = await signedInAs(product, { role: 'recruiter', funnelIds: [own] });
  return { product, admin, recruiter, own, hidden };
}

test('an interview of a funnel that an account does not see is not found by its id', async () => {
  const { recruiter } = await twoFunnels();
  expect((await recruiter.call(getInterview, { params: { id: 'own-1' } })).id).toBe('own-1');
  const [hidden, unknown] = await Promise.all(
    ['hidden-1', 'unknown'].map((id) => recruiter.request({ method: 'GET', url: `/api/interviews/${id}` })),
  );
  expect(hidden?.statusCode).toBe(404);
  expect({ ...hidden?.json(), requestId: null }).toEqual({ ...unknown?.json(), requestId: null });
});
