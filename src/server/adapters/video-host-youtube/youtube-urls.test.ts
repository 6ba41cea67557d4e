import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sessionUrl, youtubeUrls } from './youtube-urls.ts';

test.each(['https://www.googleapis.com', 'https://www.googleapis.com/'])("with %s all URLs are Google's", (apiUrl) => {
  const { watch, ...urls } = youtubeUrls(apiUrl);
  expect(urls).toEqual({
    consent: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    upload: 'https://www.googleapis.com/upload/youtube/v3/videos',
    videos: 'https://www.googleapis.com/youtube/v3/videos',
    channels: 'https://www.googleapis.com/youtube/v3/channels',
  });
  expect(watch('a-B_1')).toBe('https://www.youtube.com/watch?v=a-B_1');
});

test('with any other base all URLs are below it', () => {
  const { watch, ...urls } = youtubeUrls('http://127.0.0.1:5055/google');
  expect(Object.values(urls).every((url) => url.startsWith('http://127.0.0.1:5055/google/'))).toBe(true);
  expect(urls.token).toBe('http://127.0.0.1:5055/google/token');
  expect(watch('a&b')).toBe('http://127.0.0.1:5055/google/watch?v=a%26b');
});

const UPLOAD = 'https://www.googleapis.com/upload/youtube/v3/videos';

test.each([
  `${UPLOAD}?uploadType=resumable&upload_id=1`,
  'https://youtube.googleapis.com/upload/youtube/v3/videos?upload_id=1',
])('%s is a session at Google', (url) => {
  expect(sessionUrl(url, UPLOAD)).toBe(url);
});

test.each([
  'http://www.googleapis.com/upload?upload_id=1',
  'https://www.googleapis.com:8443/upload',
  'https://googleapis.com.example.org/upload',
  'https://evil-googleapis.com/upload',
  'http://127.0.0.1:5055/google/upload?upload_id=1',
  'file:///etc/passwd',
  'https://',
])('%s is not a session URL, so our permission is not sent there', (url) => {
  expect(sessionUrl(url, UPLOAD)).toBeNull();
});

test('a session URL from a response always has the protocol of the upload and its host or one of Google', () => {
  const trick = fc.constantFrom(
    '//',
    '\\\\',
    'https:/',
    '@',
    '.googleapis.com',
    'www.googleapis.com',
    ':443',
    '/upload',
    '#',
    '?',
    '\t',
  );
  const location = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc
      .array(fc.oneof(trick, fc.domain(), fc.string({ maxLength: 4 })), { maxLength: 5 })
      .map((parts) => parts.join('')),
    fc.array(fc.oneof(trick, fc.domain()), { maxLength: 4 }).map((parts) => `https://${parts.join('')}`),
  );
  fc.assert(
    fc.property(location, fc.constantFrom(UPLOAD, 'http://127.0.0.1:5055/google/upload'), (given, upload) => {
      const url = URL.parse(sessionUrl(given, upload) ?? upload);
      const expected = new URL(upload);
      expect(url?.protocol).toBe(expected.protocol);
      if (url?.host !== expected.host)
        expect([upload, url?.host]).toEqual([UPLOAD, expect.stringMatching(/^[^:]*\.googleapis\.com$/)]);
    }),
    { numRuns: 1_000 },
  );
});
