import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Upload as TusUpload, type UploadOptions } from 'tus-js-client';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Upload } from '#contracts/uploads.ts';
import { anUpload, RECORDINGS_CSV } from '#support/an-upload.ts';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, type SeenRequest, serve } from '#web/testing/server-edge.ts';

/** The uploads that were started. A test ends each of them. */
let started: UploadOptions[] = [];

beforeEach(() => {
  started = [];
  vi.spyOn(TusUpload.prototype, 'start').mockImplementation(function (this: TusUpload) {
    started.push(this.options);
  });
  // The browser of the tests decodes no video.
  vi.spyOn(HTMLMediaElement.prototype, 'src', 'set').mockImplementation(function (this: HTMLMediaElement) {
    queueMicrotask(() => this.dispatchEvent(new Event('error')));
  });
});

async function open(uploads: Upload[] = [], responses: Parameters<typeof serve>[0] = {}) {
  const funnel = aFunnel({ source: 'upload' });
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana' },
    'GET /api/funnels': () => [funnel],
    'GET /api/funnels/active': () => funnel,
    'GET /api/uploads': () => uploads,
    ...responses,
  });
  const user = renderApp('/funnels');
  await user.click(await screen.findByRole('button', { name: 'Upload recordings' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Upload recordings' }));
  const input = (await dialog.findByLabelText(/Drop recordings here/)) as HTMLInputElement;
  return { user, seen, dialog, choose: (...files: File[]) => user.upload(input, files) };
}

const recording = (name: string) =>
  new File(['bytes'], name, { type: 'video/mp4', lastModified: Date.parse('2026-11-19T10:00:00Z') });
const sent = (seen: SeenRequest[]) => seen.filter(({ method, path }) => method === 'POST' && path === '/api/uploads');

test('details are filled in from the name and the time of a file, and can be corrected', async () => {
  vi.stubEnv('TZ', 'America/New_York');
  const { user, seen, dialog, choose } = await open([], {
    'POST /api/uploads': () => json({ message: 'Not now' }, 409),
  });
  await choose(recording('Ada Stone - Night nurse.mp4'));
  const row = within(await dialog.findByRole('listitem', { name: 'Ada Stone - Night nurse.mp4' }));
  expect(row.getByLabelText(/Candidate name/)).toHaveProperty('value', 'Ada Stone');
  expect(row.getByLabelText('Title')).toHaveProperty('value', 'Night nurse');
  expect(row.getByLabelText('Recorded on')).toHaveProperty('value', '2026-11-19');
  await user.type(row.getByLabelText('Email'), 'ada@example.com');
  await user.click(dialog.getByRole('button', { name: 'Upload 1 recording' }));
  await waitFor(() => expect(sent(seen)).toHaveLength(1));
  expect(sent(seen)[0]?.body).toMatchObject({
    funnelId: 1,
    fileName: 'Ada Stone - Night nurse.mp4',
    candidateName: 'Ada Stone',
    candidateEmail: 'ada@example.com',
    title: 'Night nurse',
    recordedDate: '2026-11-19T17:00:00.000Z',
    modifiedAt: '2026-11-19T10:00:00.000Z',
  });
  expect(await row.findByRole('alert')).toHaveProperty('textContent', 'Not now');
  expect(row.getByRole('button', { name: 'Retry' })).toBeTruthy();
});

test('a candidate after the title is recognized, and a wrong guess is swapped', async () => {
  const { user, dialog, choose } = await open();
  await choose(recording('Zoom call - Anna Müller 2026-11-20.mp4'), recording('Night Nurse - Ada Stone.mp4'));
  const known = within(await dialog.findByRole('listitem', { name: /^Zoom call/ }));
  expect(known.getByLabelText(/Candidate name/)).toHaveProperty('value', 'Anna Müller');
  expect(known.getByLabelText('Title')).toHaveProperty('value', 'Zoom call');
  const row = within(dialog.getByRole('listitem', { name: /^Night Nurse/ }));
  await user.click(row.getByRole('button', { name: 'Swap name and title' }));
  expect(row.getByLabelText(/Candidate name/)).toHaveProperty('value', 'Ada Stone');
  expect(row.getByLabelText('Title')).toHaveProperty('value', 'Night Nurse');
});

test('errors of the form and of the server appear next to their field', async () => {
  const message = 'candidateEmail must be an email address';
  const { user, dialog, choose } = await open([], {
    'POST /api/uploads': () => json({ message, code: 'invalid_input', field: 'candidateEmail' }, 400),
  });
  await choose(recording('Bo.mp4'));
  const row = within(await dialog.findByRole('listitem', { name: 'Bo.mp4' }));
  await user.clear(row.getByLabelText(/Candidate name/));
  await user.click(dialog.getByRole('button', { name: 'Upload 1 recording' }));
  expect(await row.findByText('Candidate name is required')).toBeTruthy();
  expect(document.activeElement).toBe(row.getByLabelText(/^Candidate name/));
  await user.type(row.getByLabelText(/Candidate name/), 'Bo');
  await user.click(dialog.getByRole('button', { name: 'Upload 1 recording' }));
  expect(await row.findByText('Email must be an email address')).toBeTruthy();
  expect(row.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
});

test('a CSV file fills in the details, and reports rows and recordings that have no match', async () => {
  const { dialog, choose } = await open();
  await choose(recording('a.mp4'), recording('other.mp4'), new File([RECORDINGS_CSV], 'list.csv'));
  const row = within(await dialog.findByRole('listitem', { name: 'a.mp4' }));
  await waitFor(() => expect(row.getByLabelText(/Candidate name/)).toHaveProperty('value', 'Cy Dane'));
  expect(row.getByLabelText('Recorded on')).toHaveProperty('value', '2026-10-05');
  expect(await dialog.findByText(/1 row without a recording: missing.mp4/)).toBeTruthy();
  expect(dialog.getByText(/1 recording without a row: other.mp4/)).toBeTruthy();
});

test('the focus stays at its place in the list when a recording is removed', async () => {
  const { user, dialog, choose } = await open();
  await choose(recording('Ada.mp4'), recording('Ben.mp4'));
  (await dialog.findByRole('button', { name: 'Remove Ada.mp4' })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove Ben.mp4'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Close'));
});

test('unfinished uploads are listed after a reload and can be canceled', async () => {
  const { user, seen, dialog } = await open([anUpload()], {
    'DELETE /api/uploads/upload-1': { message: 'Upload canceled' },
  });
  const row = within(await dialog.findByRole('listitem', { name: 'Eve.mp4' }));
  expect(row.getByText('976.6 KB of 3.8 MB sent. Choose the same file again to resume.')).toBeTruthy();
  await user.click(row.getByRole('button', { name: 'Cancel Eve.mp4' }));
  await waitFor(() => expect(seen.some(({ method }) => method === 'DELETE')).toBe(true));
});

test('a recording that an interview already has is added or discarded by the user', async () => {
  const { user, seen, dialog } = await open([anUpload({ state: 'duplicate', duplicateOf: 'int 1' })], {
    'POST /api/uploads/upload-1/keep': { message: 'ok' },
  });
  const row = within(await dialog.findByRole('listitem', { name: 'Eve.mp4' }));
  expect(row.queryByText('Checking the file...')).toBeNull();
  expect(row.getByRole('link', { name: 'Open it' }).getAttribute('href')).toBe('/?interview=int%201');
  await user.click(row.getByRole('button', { name: 'Add anyway' }));
  await waitFor(() => expect(seen.some(({ path }) => path.endsWith('/keep'))).toBe(true));
});

/** Chooses two files and starts both. Their ids on the server are upload-1 and upload-2. */
async function startTwo(uploads: Upload[], responses: Parameters<typeof serve>[0] = {}) {
  let created = 0;
  const opened = await open(uploads, {
    'POST /api/uploads': ({ body }) => {
      created += 1;
      const response = anUpload({ ...(body as Partial<Upload>), id: `upload-${created}`, received: 0 });
      uploads.push(response);
      return response;
    },
    ...responses,
  });
  await opened.choose(recording('Ada.mp4'), recording('Bo.mp4'));
  await opened.user.click(await opened.dialog.findByRole('button', { name: 'Upload 2 recordings' }));
  await waitFor(() => expect(started).toHaveLength(2));
  const row = (name: string) => within(opened.dialog.getByRole('listitem', { name }));
  return { ...opened, row };
}

const tusError = (status: number, body = '') =>
  Object.assign(new Error('tus'), { originalResponse: { getStatus: () => status, getBody: () => body } }) as never;
const finish = (options = started[0]) => options?.onSuccess?.({ lastResponse: {} as never });

test('each of several recordings shows that it was added, also one that ends after the others', async () => {
  const uploads: Upload[] = [];
  const { row } = await startTwo(uploads);
  finish(started[0]);
  Object.assign(uploads[0] ?? {}, { state: 'done' });
  expect(await row('Ada.mp4').findByText('Added.')).toBeTruthy();
  Object.assign(uploads[1] ?? {}, { state: 'done' });
  finish(started[1]);
  expect(await row('Bo.mp4').findByText('Added.')).toBeTruthy();
});

test('while the dialog is closed, its button shows how much of the running uploads is sent, or what has stopped', async () => {
  const { user } = await startTwo([]);
  await user.keyboard('{Escape}');
  started[0]?.onProgress?.(5, 10);
  expect(await screen.findByRole('button', { name: 'Upload recordings 25%' })).toBeTruthy();
  finish(started[0]);
  started[1]?.onError?.(tusError(500));
  await user.click(await screen.findByRole('button', { name: 'Upload recordings 1 failed' }));
  await user.click(await screen.findByRole('button', { name: /^Retry/ }));
  await user.keyboard('{Escape}');
  // The file that was sent before no longer counts.
  expect(await screen.findByRole('button', { name: 'Upload recordings 0%' })).toBeTruthy();
});

test('a recording that the server rejects shows the reason, and no retry', async () => {
  const uploads: Upload[] = [];
  const { row } = await startTwo(uploads);
  Object.assign(uploads[0] ?? {}, { state: 'failed', problem: "This file isn't a recording." });
  // The response to HEAD has no body.
  started[0]?.onError?.(tusError(415));
  expect(await row('Ada.mp4').findByText("This file isn't a recording.")).toBeTruthy();
  expect(row('Ada.mp4').queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(row('Ada.mp4').getByRole('button', { name: 'Remove Ada.mp4' })).toBeTruthy();
});

test('an upload that was canceled elsewhere starts again with a retry', async () => {
  const { user, seen, row } = await startTwo([]);
  started[0]?.onError?.(tusError(404));
  expect((await row('Ada.mp4').findByRole('alert')).textContent).toBe(
    'This upload no longer exists. Retry starts it again.',
  );
  await user.click(row('Ada.mp4').getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(started).toHaveLength(3));
  expect(sent(seen)).toHaveLength(3);
});

test('pieces grow on a fast connection, and stay small when a proxy rejects a large one', async () => {
  await startTwo([]);
  const [options] = started;
  const mb = () => Number(options?.chunkSize) / 2 ** 20;
  const request = (method: string) => options?.onBeforeRequest?.({ getMethod: () => method } as never);
  expect(mb()).toBe(8);
  for (const size of [16, 32, 64, 64]) {
    request('PATCH');
    options?.onChunkComplete?.(mb() * 2 ** 20, 0, 0);
    expect(mb()).toBe(size);
  }
  request('HEAD');
  expect(mb()).toBe(8);
  request('PATCH');
  options?.onChunkComplete?.(8 * 2 ** 20, 0, 0);
  options?.onError?.(tusError(413));
  expect(started).toHaveLength(3);
  request('HEAD');
  request('PATCH');
  options?.onChunkComplete?.(8 * 2 ** 20, 0, 0);
  expect(mb()).toBe(8);
});

test('a recording that is canceled while the server creates its upload leaves nothing there', async () => {
  const response = Promise.withResolvers<Upload>();
  const { user, seen, dialog, choose } = await open([], { 'POST /api/uploads': () => response.promise });
  await choose(recording('Ada.mp4'));
  await user.click(dialog.getByRole('button', { name: 'Upload 1 recording' }));
  await waitFor(() => expect(sent(seen)).toHaveLength(1));
  await user.click(dialog.getByRole('button', { name: 'Cancel Ada.mp4' }));
  response.resolve(anUpload({ id: 'upload-7' }));
  await waitFor(() => expect(seen.some(({ method, path }) => method === 'DELETE' && path.endsWith('-7'))).toBe(true));
});

test('a recording that is canceled while its upload begins and chosen again is uploaded with its new details', async () => {
  const creations: PromiseWithResolvers<Upload>[] = [];
  const { user, seen, dialog, choose } = await open([], {
    'POST /api/uploads': () => {
      const creation = Promise.withResolvers<Upload>();
      creations.push(creation);
      return creation.promise;
    },
    'DELETE /api/uploads/upload-1': { message: 'Upload canceled' },
  });
  const begin = async (name: string) => {
    await choose(recording('Ada.mp4'));
    const field = await dialog.findByLabelText(/Candidate name/);
    await user.clear(field);
    await user.type(field, name);
    await user.click(dialog.getByRole('button', { name: 'Upload 1 recording' }));
  };
  await begin('Ada');
  await waitFor(() => expect(creations).toHaveLength(1));
  await user.click(dialog.getByRole('button', { name: 'Cancel Ada.mp4' }));
  await begin('Ada Stone');
  await waitFor(() => expect(creations).toHaveLength(2));
  creations[0]?.resolve(anUpload({ id: 'upload-1' }));
  await waitFor(() => expect(seen.some(({ method, path }) => method === 'DELETE' && path.endsWith('-1'))).toBe(true));
  creations[1]?.resolve(anUpload({ id: 'upload-2' }));
  await waitFor(() => expect(started.map(({ uploadUrl }) => uploadUrl)).toEqual(['/api/uploads/upload-2/content']));
  expect(sent(seen)[1]?.body).toMatchObject({ candidateName: 'Ada Stone' });
});

test('the end of a canceled upload does not change the recording that was chosen again', async () => {
  const uploads: Upload[] = [];
  const { user, dialog, choose, row } = await startTwo(uploads, {
    'DELETE /api/uploads/upload-1': () => {
      uploads.shift();
      return { message: 'Upload canceled' };
    },
  });
  await user.click(row('Ada.mp4').getByRole('button', { name: 'Cancel Ada.mp4' }));
  await waitFor(() => expect(dialog.queryByRole('listitem', { name: 'Ada.mp4' })).toBeNull());
  await choose(recording('Ada.mp4'));
  await dialog.findByLabelText(/Candidate name/);
  started[0]?.onProgress?.(5, 10);
  started[0]?.onError?.(tusError(500));
  finish(started[0]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(row('Ada.mp4').getByLabelText(/Candidate name/)).toBeTruthy();
  expect(row('Ada.mp4').queryByRole('alert')).toBeNull();
});

test('files are accepted wherever they are dropped; empty ones and other formats are rejected', async () => {
  const { dialog } = await open();
  const files = [recording('Ada.mp4'), new File([], 'empty.mp4'), new File(['%PDF'], 'cv.pdf')];
  fireEvent.drop(document.body, { dataTransfer: { files, types: ['Files'] } });
  expect(await dialog.findByRole('listitem', { name: 'Ada.mp4' })).toBeTruthy();
  expect(
    dialog.getByText(
      "Empty, so nothing to upload: empty.mp4. Choose another copy. cv.pdf can't be uploaded. Use mp4, mov, webm, m4a or mp3.",
    ),
  ).toBeTruthy();
});

test('a date of a CSV file that can be read in two ways is not guessed', async () => {
  const { user, seen, dialog, choose } = await open();
  const csv = 'file;name;date\nA.mp4;Cy Dane;05.10.2026\n';
  await choose(recording('a.mp4'), new File([csv], 'list.csv', { type: 'text/csv' }));
  const row = within(await dialog.findByRole('listitem', { name: 'a.mp4' }));
  await waitFor(() => expect(row.getByLabelText(/Candidate name/)).toHaveProperty('value', 'Cy Dane'));
  await user.click(dialog.getByRole('button', { name: 'Upload 1 recording' }));
  expect(await row.findByText('Recorded on must be a date, such as 2026-03-01')).toBeTruthy();
  expect(sent(seen)).toEqual([]);
});

const table = (content: BlobPart, name = 'list.csv') => new File([content], name, { type: 'text/csv' });

test('problems of a CSV file are listed with row and column, and the other rows are used', async () => {
  const { dialog, choose } = await open();
  const rows = [
    '',
    'File;Name;E-mail;E-mail;Date;=1+1',
    '"a.mp4";"Cy\r\nDane";;cy@example.com;2026-10-05;"=HYPERLINK(""x"")"',
    '',
    'b.mp4;Bo;nowhere;;05.10.2026;',
    'A.MP4;Another;;;;',
    'c.mp4;Ed\0;;;;x;more',
  ];
  await choose(recording('a.mp4'), recording('b.mp4'), recording('c.mp4'), table(`\uFEFF${rows.join('\r\n')}`));
  const alert = within(await dialog.findByRole('alert'));
  expect(alert.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'list.csv, row 6: A.MP4 has an earlier row, which is used.',
    'list.csv, row 7 has more values than there are headings.',
    'list.csv, row 3: name must not contain control characters.',
    'list.csv, row 5: date must be a date, such as 2026-03-01.',
    'list.csv, row 5: email must be an email address, such as dana@example.com.',
    'list.csv, row 7: name must not contain control characters.',
  ]);
  const row = within(dialog.getByRole('listitem', { name: 'a.mp4' }));
  expect(row.getByLabelText('Email')).toHaveProperty('value', 'cy@example.com');
});

test('a CSV file of 10,000 rows fills in its recording, and lists a few of the others', async () => {
  const { dialog, choose } = await open();
  const names = Array.from({ length: 10_000 }, (_, at) => `${at}.mp4,Person ${at}`);
  await choose(recording('7.mp4'), table(`file,name\n${names.join('\n')}`));
  expect(
    await dialog.findByText(/^9,999 rows without a recording: 0\.mp4, 1\.mp4, .* and 9,989 others\./),
  ).toBeTruthy();
  const row = within(dialog.getByRole('listitem', { name: '7.mp4' }));
  expect(row.getByLabelText(/Candidate name/)).toHaveProperty('value', 'Person 7');
});

test('a CSV file that cannot be used is reported, and a second one is used', async () => {
  const { dialog, choose } = await open();
  const large = Object.defineProperty(table('file\n', 'large.csv'), 'size', { value: 100 * 2 ** 20 });
  const lost = Object.assign(table('file\n', 'lost.csv'), {
    arrayBuffer: () => Promise.reject(new Error('NotReadable')),
  });
  const binary = table(new Uint8Array([0, 1, 2, 0xff]), 'video.csv');
  const unclosed = table('file,name\n"a.mp4,Ada', 'open.csv');
  await choose(recording('b.mp4'), large, lost, binary, unclosed, table('file,name\nb.mp4,Bo Dane\n', 'good.csv'));
  const alert = within(await dialog.findByRole('alert'));
  expect(alert.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'large.csv is larger than 10 MB. Split it into smaller files.',
    "lost.csv can't be read. Choose it again.",
    'video.csv has no column "file". Add one with the names of the recordings.',
    'open.csv, row 2: a quotation mark is misplaced.',
  ]);
  const row = within(dialog.getByRole('listitem', { name: 'b.mp4' }));
  expect(row.getByLabelText(/Candidate name/)).toHaveProperty('value', 'Bo Dane');
});

test('the interview of a duplicate opens without a reload, which would drop the chosen recordings', async () => {
  const { user, choose, dialog } = await open([anUpload({ state: 'duplicate', duplicateOf: 'int 1' })], {
    'GET /api/interviews/sync/status': () => new Promise(() => {}),
  });
  await choose(recording('Ada.mp4'));
  let isHandled = false;
  addEventListener('click', (event) => (isHandled = event.defaultPrevented), { once: true });
  await user.click(await dialog.findByRole('link', { name: 'Open it' }));
  expect(isHandled).toBe(true);
  expect(location.search).toBe('?interview=int%201');
});
