import { expect, test } from 'vitest';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { getSetup } from '#contracts/setup.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { FUNNEL, refresh } from '#support/refreshing.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';

test('a new installation has nothing set up', async () => {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const { sources, atsAccount, ...setup } = await recruiter.call(getSetup, {});
  expect(sources).toEqual(['hireflix', 'upload']);
  expect(atsAccount).toBeNull();
  expect(Object.values(setup)).toEqual(Object.values(setup).map(() => false));
});

test('the interview service is connected once a funnel reads a source that this server has', async () => {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const isConnected = async () => (await recruiter.call(getSetup, {})).interviewService;
  const form = { name: 'Designers', apiKey: 'key', funnelId: 'pos_designer' };
  await recruiter.call(createFunnel, { body: form });
  expect(await isConnected()).toBe(false);
  await recruiter.call(createFunnel, { body: { ...form, source: 'hireflix' } });
  expect(await isConnected()).toBe(true);
});

test('each step of the first run is reported once it is done', async () => {
  const sandbox = await startSandbox();
  const product = await startApp({ env: { ...productVariables(sandbox), DESTINATION_URL: '' } });
  const recruiter = await product.signedIn();
  const steps = async () => {
    const { funnel, activeFunnel, refreshed } = await recruiter.call(getSetup, {});
    return [funnel, activeFunnel, refreshed];
  };
  const connected = { interviewService: true, youtube: true, transcription: true, summaries: true, mail: true };
  expect(await recruiter.call(getSetup, {})).toMatchObject({
    ...connected,
    applicationLink: false,
    sources: ['rest', 'hireflix', 'videoask', 'upload'],
  });
  expect(await steps()).toEqual([false, false, false]);
  const id = await product.build.funnel(
    recruiter,
    sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL),
  );
  expect(await steps()).toEqual([true, false, false]);
  await recruiter.call(activateFunnel, { params: { id } });
  expect(await steps()).toEqual([true, true, false]);
  await refresh(product, recruiter);
  expect(await steps()).toEqual([true, true, true]);
});
