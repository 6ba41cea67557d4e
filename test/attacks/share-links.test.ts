import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listShares, renewShareLink, updateShare } from '#contracts/shares.ts';
import type { Person } from '#support/call.ts';
import { readTags, withTags } from '#support/make-recording.ts';
import { signedInAs } from '#support/people.ts';
import { Guest, insertCandidates, openedGuest, share, shareOne, tokenOf } from '#support/sharing.ts';
import { startSharedApp, type TestApp } from '#support/start-app.ts';

let product: TestApp;
let recruiter: Person;
let funnelId: number;

beforeAll(async () => {
  const webFolder = await mkdtemp(join(tmpdir(), 'interviews-links-'));
  await writeFile(join(webFolder, 'index.html'), '<!doctype html>');
  await writeFile(join(webFolder, 'guest.html'), '<!doctype html><meta name="greeting" content="" />');
  const shared = await startSharedApp({
    // Behind a proxy, a test can use many addresses.
    env: { TRUST_PROXY: 'true' },
    webFolder,
  });
  product = shared.product;
  recruiter = await signedInAs(product, { role: 'recruiter' });
  funnelId = await product.build.funnel(recruiter, { source: 'upload', funnelId: 'nurses', clientName: 'Mercy' });
  return async () => {
    await shared.clear();
    await rm(webFolder, { recursive: true });
  };
});

beforeEach(async () => {
  await product.db.deleteFrom('interview').execute();
  await product.db.deleteFrom('share_batch').execute();
  await insertCandidates(product, funnelId);
});

const open = (link: { link: string }, passcode?: string) => openedGuest(product.app, link, passcode);

/** Every URL below a link, with a valid input. */
const REQUESTS = [
  { method: 'GET', url: '' },
  { method: 'POST', url: '/open', payload: {} },
  { method: 'GET', url: '/items' },
  { method: 'GET', url: '/video/1', headers: { range: 'bytes=0-9' } },
  { method: 'GET', url: '/thumbnail/1' },
  { method: 'GET', url: '/captions/1' },
  { method: 'POST', url: '/watched', payload: { n: 1, ranges: [[0, 5]] } },
  { method: 'PUT', url: '/verdict', payload: { n: 1, verdict: 'yes' } },
  { method: 'POST', url: '/comments', payload: { n: 1, atSeconds: 0, body: 'Hello' } },
] as const;

/** The responses of all URLs, without what differs between two requests. */
async function responsesOf(guest: Guest) {
  const responses: unknown[] = [];
  for (const request of REQUESTS) {
    const { statusCode, body, headers, cookies } = await guest.request({ ...request });
    const { date: _date, 'x-request-id': id, ...rest } = headers;
    responses.push([request.url, statusCode, body.replaceAll(String(id), 'id'), rest, cookies]);
  }
  return responses;
}

/** Scans the page, its data and files, and the pages of staff and logs. */
const READS = ['', '/items', '/video/1', '/thumbnail/1', '/captions/1'];

async function everyShareRow() {
  const [shares, items, logs] = await Promise.all([
    product.db.selectFrom('share').selectAll().execute(),
    product.db.selectFrom('share_item').selectAll().execute(),
    product.db
      .selectFrom('log_entry')
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow(),
  ]);
  return { shares, items, logs };
}

describe('links that do not work', () => {
  test('unknown, expired, revoked, replaced and erased links respond identically on every URL, with and without a cookie', async () => {
    const make = async () => {
      const link = await shareOne(recruiter);
      return { link, guest: await open(link) };
    };
    const [expired, revoked, replaced, erased] = [await make(), await make(), await make(), await make()];
    await product.db
      .updateTable('share')
      .set({ expires_at: new Date(0) })
      .where('id', '=', expired.link.id)
      .execute();
    await recruiter.call(updateShare, { params: { id: revoked.link.id }, body: { revoked: true } });
    await recruiter.call(renewShareLink, { params: { id: replaced.link.id } });
    await product.db.deleteFrom('share_item').where('share_id', '=', erased.link.id).execute();
    const unknown = await responsesOf(new Guest(product.app, { link: `/s/${randomBytes(16).toString('base64url')}` }));
    for (const [, status] of unknown as [string, number][]) expect(status).toBe(404);
    for (const { link, guest } of [expired, revoked, replaced, erased]) {
      expect(await responsesOf(guest)).toEqual(unknown);
      expect(await responsesOf(new Guest(product.app, link))).toEqual(unknown);
    }
  });

  test('guessed tokens open nothing', async () => {
    await shareOne(recruiter);
    const tokens = [
      '',
      'x',
      '%00',
      '..%2f',
      "' OR 1=1",
      'A'.repeat(22),
      ...Array.from({ length: 100 }, () => randomBytes(16).toString('base64url')),
    ];
    for (const token of tokens) {
      const { statusCode } = await product.app.inject({ url: `/s/${encodeURIComponent(token)}/items` });
      expect([400, 404]).toContain(statusCode);
    }
  });

  test('many unknown links from an address are refused, and links that work stay open there', async () => {
    const known = await shareOne(recruiter);
    const from = { 'x-forwarded-for': '203.0.113.7' };
    const unknown = new Guest(product.app, { link: `/s/${randomBytes(16).toString('base64url')}` });
    const statuses: number[] = [];
    for (let tries = 0; tries < 602; tries += 1)
      statuses.push((await unknown.request({ url: '/items', headers: from })).statusCode);
    expect(statuses).toEqual([...Array<number>(600).fill(404), 429, 429]);
    const guest = new Guest(product.app, known);
    expect((await guest.request({ url: '', headers: from })).statusCode).toBe(200);
    expect((await guest.open(undefined, from)).statusCode).toBe(204);
    expect((await guest.request({ url: '/items', headers: from })).statusCode).toBe(200);
  });

  test('the database contains no token', async () => {
    const token = tokenOf(await shareOne(recruiter));
    const rows = JSON.stringify(await everyShareRow());
    const logs = JSON.stringify(await product.db.selectFrom('log_entry').selectAll().execute());
    expect(rows + logs).not.toContain(token);
    expect(await recruiter.call(listShares, { query: {} }).then(JSON.stringify)).not.toContain(token);
  });
});

describe('a link that works', () => {
  test('without its cookie, every URL except the page and the opening is rejected', async () => {
    const guest = new Guest(product.app, await shareOne(recruiter));
    for (const request of REQUESTS.filter(({ url }) => !['', '/open'].includes(url)))
      expect([request.url, (await guest.request({ ...request })).statusCode]).toEqual([request.url, 401]);
  });

  test("another link's cookie grants no access, even for the same interviews", async () => {
    const [first, second] = await share(recruiter, { recipients: [{ name: 'Ann Lee' }, { name: 'Bo Park' }] });
    if (!first || !second) throw new Error('Two links are missing');
    const guest = new Guest(product.app, second);
    guest.cookie = (await open(first)).cookie;
    for (const url of READS.slice(1)) expect([url, (await guest.request({ url })).statusCode]).toEqual([url, 401]);
  });

  test('forged and altered cookies grant no access, and a cookie lasts 12 hours', async () => {
    const link = await shareOne(recruiter);
    const { cookie = '' } = await open(link);
    const [name, value = ''] = cookie.split('=');
    const [expiresAt = '', signature = ''] = value.split('.');
    expect(Number(expiresAt) - Date.now() / 1_000).toBeCloseTo(12 * 60 * 60, -2);
    for (const forged of [
      `${Number(expiresAt) + 1}.${signature}`,
      `${expiresAt}.${'0'.repeat(64)}`,
      '',
      'x',
      `1.${signature}`,
    ]) {
      const guest = new Guest(product.app, link);
      guest.cookie = `${name}=${forged}`;
      expect([forged, (await guest.request({ url: '/items' })).statusCode]).toEqual([forged, 401]);
    }
  });

  test('the cookie is limited to its link, never sent from other sites, and hidden from scripts', async () => {
    const link = await shareOne(recruiter);
    const guest = new Guest(product.app, link);
    const response = await guest.open(undefined, { 'x-forwarded-proto': 'https' });
    expect(response.cookies).toEqual([
      expect.objectContaining({
        ...{ name: '__Secure-link', path: guest.path, httpOnly: true, sameSite: 'Strict', secure: true },
        maxAge: 12 * 60 * 60,
      }),
    ]);
    expect((await guest.open(undefined, { origin: 'https://evil.example' })).statusCode).toBe(403);
  });

  test('recordings of other links, other numbers and staff URLs are rejected', async () => {
    const guest = await open(await shareOne(recruiter, { interviewIds: ['dana'] }));
    for (const n of ['2', '50', '2147483647']) {
      for (const url of ['video', 'thumbnail', 'captions'])
        expect((await guest.request({ url: `/${url}/${n}` })).statusCode).toBe(404);
    }
    for (const n of ['0', '-1', '1.5', 'x', '1e1', '..%2f2'])
      expect((await guest.request({ url: `/video/${n}` })).statusCode).toBe(400);
    expect((await guest.decide(2, 'yes')).statusCode).toBe(404);
    expect((await guest.watch(2, [[0, 5]])).statusCode).toBe(404);
    expect((await guest.comment(2, 0, 'Hello')).statusCode).toBe(404);
    for (const url of ['/api/files/video/dana-moore-1a2b.mp4', '/api/interviews/dana', '/api/shares']) {
      const { statusCode } = await product.app.inject({ url, headers: { cookie: guest.cookie ?? '' } });
      expect([url, statusCode]).toEqual([url, 401]);
    }
  });

  test('ranges are rejected as soon as the link is revoked', async () => {
    const link = await shareOne(recruiter);
    const guest = await open(link);
    const range = () => guest.request({ url: '/video/1', headers: { range: 'bytes=100-199' } });
    expect((await range()).statusCode).toBe(206);
    await recruiter.call(updateShare, { params: { id: link.id }, body: { revoked: true } });
    expect((await range()).statusCode).toBe(404);
  });

  test('at most ten passcode guesses are tried, even concurrently from many addresses', async () => {
    const link = await shareOne(recruiter, { passcode: 'correct horse' });
    const guess = (at: number) =>
      new Guest(product.app, link).open(`guess ${at}`, { 'x-forwarded-for': `203.0.113.${at}` });
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, at) => guess(at)));
    expect(new Set(statuses.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
    const right = await new Guest(product.app, link).open('correct horse', { 'x-forwarded-for': '203.0.113.99' });
    expect([right.statusCode, right.json().code]).toEqual([401, 'wrong_credentials']);
    expect(
      (await product.db.selectFrom('share').select('passcode_tries').executeTakeFirstOrThrow()).passcode_tries,
    ).toBe(10);
  });

  test('200 reads of a scanner leave no trace', async () => {
    const link = await shareOne(recruiter);
    const before = await everyShareRow();
    const guest = new Guest(product.app, link);
    for (let at = 0; at < 200; at += 1)
      await guest.request({ method: at % 2 ? 'GET' : 'HEAD', url: READS[at % READS.length] ?? '' });
    expect(await everyShareRow()).toEqual(before);
    expect((await guest.open()).statusCode).toBe(204);
  });

  test('the texts of a link are sent 240 times a minute at most, which no other link and no visitor can use up', async () => {
    const [link, other] = [await shareOne(recruiter), await shareOne(recruiter)];
    const [guest, stranger] = [await open(link), new Guest(product.app, link)];
    for (let at = 0; at < 300; at += 1)
      expect((await stranger.request({ url: at % 2 ? '/items' : '/captions/1' })).statusCode).toBe(401);
    const statuses: number[] = [];
    for (let at = 0; at < 242; at += 1)
      statuses.push((await guest.request({ url: at % 2 ? '/items' : '/captions/1' })).statusCode);
    expect(statuses).toEqual([...Array<number>(240).fill(200), 429, 429]);
    expect((await guest.request({ url: '/items' })).headers['retry-after']).toMatch(/^[1-9]\d?$/);
    expect((await (await open(other)).request({ url: '/items' })).statusCode).toBe(200);
  });

  test('nothing about a candidate is sent before the link is opened', async () => {
    const link = await shareOne(recruiter, { title: 'Dana Moore' });
    const { body } = await new Guest(product.app, link).request({ url: '' });
    expect(body).toContain('Ann Lee');
    expect(body).not.toMatch(/Dana|Moore|Omar|Nurses/);
  });

  test('pages cannot be framed, indexed or cached, and send no referrer', async () => {
    const guest = await open(await shareOne(recruiter));
    for (const url of READS) {
      const { headers } = await guest.request({ url });
      expect([url, headers]).toEqual([
        url,
        expect.objectContaining({
          ...{ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' },
          ...{ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' },
          'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        }),
      ]);
    }
    const { headers } = await guest.request({ url: '' });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|data:|blob:|\*/);
  });
});

describe('texts', () => {
  const MARKUP = `"><script>alert(1)</script>&'</title>`;

  test('markup from the sender and from the client is shown as text', async () => {
    const link = await shareOne(recruiter, { recipients: [{ name: MARKUP }], title: MARKUP, message: MARKUP });
    const guest = await open(link);
    const page = await guest.request({ url: '' });
    expect(page.body).not.toContain('<script');
    const [, content = ''] = /content="([^"]*)" \/>$/.exec(page.body) ?? [];
    const decoded = content
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(decoded)).toMatchObject({ recipient: MARKUP });
    await guest.decide(1, 'yes', MARKUP);
    await guest.comment(1, 0, MARKUP);
    const items = await guest.request({ url: '/items' });
    expect(items.headers['content-type']).toMatch(/^application\/json/);
    expect(items.json()).toMatchObject({ title: MARKUP, message: MARKUP, items: [{ verdictNote: MARKUP }, {}] });
    const listed = await recruiter.request({ method: 'GET', url: '/api/shares' });
    expect(listed.headers['content-type']).toMatch(/^application\/json/);
    expect(listed.json()).toMatchObject([{ interviews: [{ verdictNote: MARKUP, comments: [{ body: MARKUP }] }, {}] }]);
  });

  test("a candidate's name typed without capitals or umlauts is hidden in transcripts", async () => {
    const texts = { candidate_name: 'ylva mueller', title: 'Nurses', questions: '[]' };
    await product.db.updateTable('interview').set(texts).where('id', '=', 'dana').execute();
    const text = 'I am Ylva. Ms. Müller, please.';
    const spoken = { transcription_text: text, summary_text: text };
    const segments = JSON.stringify([{ startSeconds: 0, endSeconds: 4, text }]);
    await product.db
      .updateTable('interview_text')
      .set({ ...spoken, segments })
      .where('interview_id', '=', 'dana')
      .execute();
    const shows = { name: 'hidden', contact: false, transcript: true, summary: true, questions: true } as const;
    const guest = await open(await shareOne(recruiter, { interviewIds: ['dana'], shows }));
    for (const url of ['/items', '/captions/1']) {
      const { body } = await guest.request({ url });
      expect(body).toContain('Ms. Candidate 1, please.');
      expect(body).not.toMatch(/ylva|m(ü|ue)ller/i);
    }
  });

  test.each(['hidden', 'first'] as const)('no response contains a name that is %s', async (name) => {
    const shows = { name, contact: true, transcript: true, summary: true, questions: true };
    const guest = await open(
      await shareOne(recruiter, { title: 'Dana Moore, Omar Haddad', message: 'Ms. Moore', shows }),
    );
    const secret = name === 'hidden' ? /dana|moore|omar|haddad/i : /moore|haddad|@example/i;
    for (const n of [1, 2]) {
      for (const url of ['', '/items', `/video/${n}`, `/thumbnail/${n}`, `/captions/${n}`]) {
        const { rawPayload, headers, raw } = await guest.request({ url, headers: { range: 'bytes=0-' } });
        // The picture of this test contains the name of its candidate.
        if (!url.startsWith('/thumbnail')) expect(rawPayload.toString('latin1')).not.toMatch(secret);
        expect(JSON.stringify([headers, raw.res.statusMessage])).not.toMatch(secret);
      }
    }
    expect((await guest.request({ url: '/video/1' })).headers['content-disposition']).toBe(
      'inline; filename="video-1.mp4"',
    );
  });

  test.each(['mp4', 'mov', 'mkv', 'mp3'] as const)(
    'a name in the metadata of a recording (%s) is not sent',
    async (container) => {
      const picture = { data: Buffer.from('a picture of Dana'), mimeType: 'image/jpeg', kind: 'coverFront' as const };
      const tags = { title: 'Dana Moore', artist: 'Dana', comment: 'dana.moore@example.com', images: [picture] };
      const recording = await withTags(container, tags);
      expect((await readTags(recording)).tags).toMatchObject({ title: 'Dana Moore' });
      const file = `dana-${container}.mp4`;
      await writeFile(join(product.dataDir, 'files', 'videos', file), recording);
      await product.db.updateTable('interview').set({ video_file: file }).where('id', '=', 'dana').execute();
      const guest = await open(await shareOne(recruiter, { interviewIds: ['dana'] }));
      const { rawPayload } = await guest.request({ url: '/video/1' });
      expect(rawPayload.length).toBe(recording.length);
      expect(rawPayload.toString('latin1')).not.toMatch(/dana|moore/i);
      const { tags: sent, name, sound } = await readTags(rawPayload);
      expect([sent, name ?? '', sound]).toEqual([{}, '', (await readTags(recording)).sound]);
      const parts: Buffer[] = [];
      for (let start = 0; start < recording.length; start += 997) {
        const range = { range: `bytes=${start}-${Math.min(start + 996, recording.length - 1)}` };
        parts.push((await guest.request({ url: '/video/1', headers: range })).rawPayload);
      }
      expect(Buffer.concat(parts).equals(rawPayload)).toBe(true);
    },
  );

  /** The names stand in for metadata, `a picture` for the rest. */
  const segment = (marker: number, text: string) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text)]);
  const jpeg = Buffer.concat([
    ...[Buffer.from([0xff, 0xd8]), segment(0xe1, 'Exif: Dana Moore'), segment(0xe2, 'a picture')],
    ...[segment(0xfe, 'Dana'), Buffer.from('\xff\xda a picture', 'latin1')],
  ]);
  const chunk = (type: string, text: string) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(text.length);
    sum.writeUInt32BE(crc32(type + text));
    return Buffer.concat([length, Buffer.from(type + text), sum]);
  };
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const png = Buffer.concat([signature, chunk('tEXt', 'Author Dana Moore'), chunk('IDAT', 'a picture')]);
  const emptied = Buffer.concat([signature, chunk('prVt', '\0'.repeat(17)), chunk('IDAT', 'a picture')]);
  const webp = Buffer.from('RIFF    WEBPVP8 \x0a\0\0\0 a pictureXMP \x04\0\0\0Dana', 'latin1');
  const avif = Buffer.from('\0\0\0\x0cftypavif\0\0\0\x0cmetapict', 'latin1');
  const blanked = (picture: Buffer) =>
    Buffer.from(
      picture.toString('latin1').replaceAll(/Exif: Dana Moore|Dana/g, (name) => '\0'.repeat(name.length)),
      'latin1',
    );

  test.each([
    ['jpg', jpeg, blanked(jpeg)],
    ['png', png, emptied],
    ['webp', webp, blanked(webp)],
    ['avif', avif, avif],
  ])('a name in the metadata of a picture (%s) is not sent, and the picture stays', async (extension, stored, sent) => {
    const file = `dana-metadata.${extension}`;
    await writeFile(join(product.dataDir, 'files', 'thumbnails', file), stored);
    await product.db.updateTable('interview').set({ thumbnail_file: file }).where('id', '=', 'dana').execute();
    const guest = await open(await shareOne(recruiter, { interviewIds: ['dana'] }));
    expect((await guest.request({ url: '/thumbnail/1' })).rawPayload.toString('latin1')).toBe(sent.toString('latin1'));
    if (extension !== 'avif') expect(sent.toString('latin1')).not.toMatch(/dana|moore/i);
  });
});
