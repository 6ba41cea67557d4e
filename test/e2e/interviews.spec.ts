import type { Page } from '@playwright/test';
import type { ServiceInterview } from '#sandbox/interview.ts';
import { cardOf, chooseAction, createTwoFunnels, expect, expectToast, test, toastOf } from './support/journey.ts';

test.describe.configure({ mode: 'parallel' });

const NURSE = 'Registered Nurse, Night Shift';
const WAREHOUSE = 'Warehouse Team Lead';
const cards = (page: Page) => page.getByRole('list', { name: 'Interviews' }).getByRole('article');
const results = (page: Page, text: string) => expect(page.getByText(`${text} results`)).toBeVisible();

test.beforeEach(({ signIn }) => signIn());

test.describe('Filters', () => {
  test('funnels and clients are chosen in pickers and survive a reload and Back', async ({ page, twoFunnels }) => {
    const { nursing, warehouse } = twoFunnels;
    await page.goto('/');
    await results(page, 'Showing 1 to 10 of 12');
    await page.getByRole('button', { name: 'Funnels: All Funnels' }).click();
    const picker = page.getByRole('dialog', { name: 'Funnels' });
    await expect(picker.getByRole('checkbox')).toHaveCount(2);
    await expect(picker.getByRole('listitem').filter({ hasText: NURSE })).toContainText('Active');
    await picker.getByPlaceholder('Search funnels...').fill('ware');
    await picker.getByRole('checkbox', { name: WAREHOUSE }).check();
    await results(page, 'Showing 1 to 4 of 4');
    await expect(page).toHaveURL(`/?funnel=${warehouse.id}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: `Funnels: ${WAREHOUSE}` })).toBeFocused();

    await page.reload();
    await results(page, 'Showing 1 to 4 of 4');
    await page.getByRole('link', { name: 'Funnels', exact: true }).click();
    await expect(page).toHaveURL('/funnels');
    await page.goBack();
    await results(page, 'Showing 1 to 4 of 4');

    await page.getByRole('button', { name: `Funnels: ${WAREHOUSE}` }).click();
    await picker.getByRole('button', { name: 'Add All' }).click();
    await expect(page.getByRole('button', { name: 'Funnels: 2 funnels selected' })).toBeVisible();
    await results(page, 'Showing 1 to 10 of 12');
    await picker.getByRole('button', { name: 'Remove All' }).click();
    await expect(page.getByRole('button', { name: 'Funnels: All Funnels' })).toBeVisible();
    await picker.getByRole('checkbox', { name: NURSE }).check();
    await results(page, 'Showing 1 to 8 of 8');
    await expect(page).toHaveURL(`/?funnel=${nursing.id}`);

    await page.goto('/');
    await page.getByRole('button', { name: 'Clients: All Clients' }).click();
    const clients = page.getByRole('dialog', { name: 'Clients' });
    await clients.getByPlaceholder('Search clients...').fill('brigid');
    await clients.getByRole('checkbox', { name: 'St. Brigid Clinic' }).check();
    await results(page, 'Showing 1 to 8 of 8');
    await expect(page.getByRole('button', { name: 'Clients: 1 client(s)' })).toBeVisible();
    await clients.getByPlaceholder('Search clients...').fill('');
    await clients.getByRole('checkbox', { name: 'Harbour Logistics' }).check();
    await expect(page.getByRole('button', { name: 'Clients: 2 client(s)' })).toBeVisible();
    await results(page, 'Showing 1 to 10 of 12');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Clients: 2 client(s)' })).toBeVisible();
  });

  test('each status keeps the interviews with its badge, and badges overlap', async ({ page, product }) => {
    await createTwoFunnels(product);
    const [sent, failed, pending, processing] = await product.recruiter.interviews();
    const mark = (id: string | undefined, columns: string) =>
      product.sql(`UPDATE interview SET ${columns} WHERE id = $1`, [id]);
    await mark(sent?.id, "destination_id = 'BUB-ACME-7', summary_status = 'failed'");
    await mark(failed?.id, "transcription_status = 'failed'");
    await mark(pending?.id, "transcription_status = 'completed'");
    await mark(processing?.id, "summary_status = 'in-progress'");
    await page.goto('/');
    const status = page.getByLabel('Status', { exact: true });
    await expect(status.getByRole('option')).toHaveText([
      'All Statuses',
      'New',
      'Processing',
      'Pending',
      'Sent',
      'Error',
    ]);
    const counts = { Sent: 1, Error: 2, Pending: 1, Processing: 1, New: 10 };
    for (const [badge, count] of Object.entries(counts)) {
      await status.selectOption(badge);
      await expect(page).toHaveURL(`/?status=${badge.toLowerCase()}`);
      await results(page, `Showing 1 to ${count} of ${count}`);
      // The cards render shortly after the numbers.
      await expect(cards(page)).toHaveCount(count);
      for (const card of await cards(page).all()) await expect(card.getByText(badge, { exact: true })).toBeVisible();
    }
    await page.reload();
    await expect(status).toHaveValue('new');
    await results(page, 'Showing 1 to 10 of 10');
  });

  test('search finds names, addresses and ids, survives a reload, and offers Clear filters', async ({
    page,
    twoFunnels,
  }) => {
    const [first] = await twoFunnels.product.recruiter.interviews();
    const email = first?.candidateEmail?.toUpperCase() ?? '';
    await page.goto('/');
    await results(page, 'Showing 1 to 10 of 12');
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search interviews' });
    await expect(search).toBeFocused();
    await page.keyboard.type(email);
    await results(page, 'Showing 1 to 1 of 1');
    // The first letters already match only this interview, before the URL has the rest.
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe(email);
    await page.reload();
    await expect(search).toHaveValue(email);
    await results(page, 'Showing 1 to 1 of 1');
    await search.fill('iv_warehouse_00');
    await results(page, 'Showing 1 to 4 of 4');
    await search.fill('no such name');
    await expect(page.getByText('No interviews found')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await results(page, 'Showing 1 to 10 of 12');
    await expect(search).toHaveValue('');
  });
});

test.describe('Pages and layout', () => {
  test('the pager shows five page numbers, ellipses, first and last, and Back returns to the previous page', async ({
    page,
    product,
  }) => {
    const { recruiter, sandbox } = product;
    sandbox.control.grow('warehouse', 120);
    const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
    if (warehouse) await recruiter.refresh(warehouse);
    await page.goto('/');
    await results(page, 'Showing 1 to 10 of 124');
    const pager = page.getByRole('navigation', { name: 'Pagination' });
    const numbers = pager.getByRole('button', { name: /^Page / });
    await expect(numbers).toHaveText(['1', '2', '3', '4', '5', '13']);
    await expect(pager.getByRole('button', { name: 'Previous page' })).toBeDisabled();
    await pager.getByRole('button', { name: 'Page 5' }).click();
    await results(page, 'Showing 41 to 50 of 124');
    // A gap of a single page shows that page instead of an ellipsis.
    await expect(numbers).toHaveText(['1', '2', '3', '4', '5', '6', '7', '13']);
    await pager.getByRole('button', { name: 'Page 7' }).click();
    await expect(numbers).toHaveText(['1', '5', '6', '7', '8', '9', '13']);
    await expect(pager.locator('svg.lucide-ellipsis')).toHaveCount(2);
    await expect(pager.getByRole('button', { name: 'Page 7' })).toHaveAttribute('aria-current', 'page');
    await pager.getByRole('button', { name: 'Page 13' }).click();
    await results(page, 'Showing 121 to 124 of 124');
    await expect(pager.getByRole('button', { name: 'Next page' })).toBeDisabled();
    await page.reload();
    await results(page, 'Showing 121 to 124 of 124');
    await page.goBack();
    await results(page, 'Showing 61 to 70 of 124');
    await page.getByRole('searchbox', { name: 'Search interviews' }).fill('Generated');
    await results(page, 'Showing 1 to 10 of 120');
  });

  test('another screen opens at its top, and Back restores the scroll position', async ({ page, twoFunnels: _ }) => {
    await page.goto('/');
    await expect(cards(page)).toHaveCount(10);
    const scrolled = () => page.evaluate('scrollY');
    await page.evaluate('scrollTo(0, 600)');
    await expect.poll(scrolled).toBe(600);
    await page.getByRole('button', { name: 'System' }).press('Enter');
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    // The closed menu returns the focus.
    await expect(page.getByRole('button', { name: 'System' })).toBeFocused();
    await page.getByRole('link', { name: 'Funnels', exact: true }).focus();
    expect(await scrolled()).toBe(600);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Funnel Management' })).toBeInViewport();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await expect.poll(scrolled).toBe(600);
  });

  test('the compact layout shows page / total and is remembered', async ({ page, twoFunnels: _ }) => {
    await page.goto('/');
    await expect(cards(page)).toHaveCount(10);
    await page.getByRole('button', { name: 'Compact' }).click();
    await expect(page.getByText('1 / 2')).toBeVisible();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page.getByText('2 / 2')).toBeVisible();
    await expect(cards(page)).toHaveCount(2);
    await page.goto('/');
    await expect(page.getByText('1 / 2')).toBeVisible();
    const details = cards(page)
      .first()
      .getByRole('button', { name: /^Details of/ });
    await details.click();
    await expect(cards(page).first().getByRole('tab')).toHaveCount(5);
    await page.getByRole('button', { name: 'Cards', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Page 2' })).toBeVisible();
  });
});

test.describe('Cards', () => {
  test('a card shows all facts of an interview and names missing values', async ({ page, product }) => {
    const { recruiter, sandbox } = product;
    const [noEmail, noCandidate, noDuration, noVideo] = sandbox.control.interviews('warehouse');
    const candidate = noEmail?.candidate;
    const change = (interview: typeof noEmail, part: Partial<ServiceInterview>) =>
      sandbox.control.change('warehouse', interview?.id ?? '', part);
    change(noEmail, { candidate: { ...candidate, email: null } });
    change(noCandidate, { candidate: null, questions: [] });
    change(noDuration, { candidate: { ...candidate, name: '陳 美玲 (Chén Měilíng)' }, durationSeconds: 0 });
    change(noVideo, { videoUrl: null, durationSeconds: 0 });
    const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
    if (warehouse) await recruiter.refresh(warehouse);
    await page.goto('/');
    const card = (interview: typeof noEmail) => cards(page).filter({ hasText: `ID: ${interview?.id}` });

    for (const text of ['New', 'Harbour Logistics', WAREHOUSE, candidate?.name ?? '', 'No email available'])
      await expect(card(noEmail)).toContainText(text);
    await expect(card(noEmail)).toContainText(/Recorded: [A-Z][a-z]+ \d{1,2}, 2026/);
    await expect(card(noEmail)).toContainText(/Duration: \d+:\d{2}/);
    await expect(card(noEmail).getByRole('tab')).toHaveText([
      'YouTube',
      'Transcript',
      'Summary',
      'Scores',
      'Destination',
    ]);
    await expect(card(noCandidate)).toContainText('No candidate name');
    await expect(card(noDuration)).toContainText('陳 美玲 (Chén Měilíng)');
    // A missing duration is read from the video file.
    await expect(card(noDuration)).not.toContainText('Duration: 0:00');

    await expect(card(noVideo)).toContainText('No video');
    await expect(card(noVideo).getByRole('button', { name: /^Play / })).toHaveCount(0);
    const dialog = page.getByRole('dialog');
    await page.goto(`/?dialog=video&id=${noVideo?.id}`);
    await expect(dialog).toContainText('Video not available');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await chooseAction(card(noCandidate), 'View Questions');
    await expect(dialog).toContainText('No questions available for this interview.');
    await expect(dialog).toContainText('Try syncing interviews again to retrieve questions.');
  });

  test('View Questions numbers them, keeps bold and line breaks, and runs no script', async ({ page, product }) => {
    const { recruiter, sandbox } = product;
    const [first] = sandbox.control.interviews('warehouse');
    const question =
      '<b>Tell us</b> about <i>you</i>.<br>Slowly.<script>window.ran = 1</script><img src=x onerror="window.ran = 2">';
    sandbox.control.change('warehouse', first?.id ?? '', {
      questions: [
        { position: 1, question: 'And then?' },
        { position: 0, question },
      ],
    });
    const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
    if (warehouse) await recruiter.refresh(warehouse);
    await page.goto(`/?search=${first?.id}`);
    const menu = cards(page).getByRole('button', { name: /^Actions for/ });
    await chooseAction(cards(page), 'View Questions');
    const dialog = page.getByRole('dialog', { name: 'Interview Questions' });
    await expect(dialog.getByRole('listitem')).toHaveText([/^1Tell us about you\.\s+Slowly\.$/, '2And then?']);
    await expect(dialog.locator('strong')).toHaveText(['Tell us']);
    await expect(dialog.locator('i, img, script')).toHaveCount(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(menu).toBeFocused();
  });

  test('Archive hides the interview, Undo restores it, and Delete only shows a message', async ({ page, product }) => {
    await createTwoFunnels(product);
    const [first] = await product.recruiter.interviews();
    const title = first?.title ?? '';
    await page.goto('/');
    await chooseAction(cardOf(page, title), 'Archive');
    await expectToast(page, 'Interview Archived');
    await expect(cardOf(page, title)).toHaveCount(0);
    await results(page, 'Showing 1 to 10 of 11');
    await toastOf(page).getByRole('button', { name: 'Undo' }).click();
    await expect(cardOf(page, title)).toBeVisible();
    await results(page, 'Showing 1 to 10 of 12');

    const changing: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && changing.push(request.url()));
    await chooseAction(cardOf(page, title), 'Delete');
    await expectToast(page, 'Interview Deleted', 'can be restored on the next sync');
    await expect(cardOf(page, title)).toBeVisible();
    expect(changing).toEqual([]);
  });

  test('a thumbnail that fails to load falls back to the remote one', async ({ page, twoFunnels, console }) => {
    const [first] = await twoFunnels.product.recruiter.interviews('search=iv_warehouse');
    console.allow(404, '/api/files/thumbnail/');
    await page.route('**/api/files/thumbnail/**', (route) => route.fulfill({ status: 404 }));
    await page.goto('/?search=iv_warehouse');
    const picture = cardOf(page, first?.title ?? '').locator('img');
    await expect(picture).toHaveAttribute('src', first?.thumbnailUrl ?? 'none');
    await expect
      .poll(() => picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth))
      .toBeGreaterThan(0);
  });

  test('the arrow keys move between play buttons, and Enter plays', async ({ page, twoFunnels: _ }) => {
    await page.goto('/');
    const play = page.getByRole('button', { name: /^Play / });
    await expect(play.first()).toBeVisible();
    // From the page itself, without anything focused.
    await page.keyboard.press('ArrowDown');
    await expect(play.first()).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(play.nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(play.nth(1)).toBeFocused();
  });
});
