import { describe, expect, test } from 'vitest';
import { cleartextSettings } from './cleartext.ts';
import { readConfig } from './config.ts';
import { unfinishedSettings } from './unfinished.ts';

describe('the configuration', () => {
  test('the configuration needs no variable', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 5000,
      HOST: '127.0.0.1',
      ADMIN_USERNAME: 'admin',
      LOG_RETENTION_DAYS: 365,
      TRUST_PROXY: false,
    });
  });

  test('the configuration counts empty variables as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '  ' })).toMatchObject({ PORT: 5000 });
  });

  test('the configuration names every invalid variable at once, with what is expected', () => {
    const wrong = {
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      ENCRYPTION_KEY: 'short',
      TRUST_PROXY: 'maybe',
      ROLES: 'web,jobs',
      WORKER_QUEUES: 'sync,convert,uploads',
      YOUTUBE_TITLE: '{name}',
      DESTINATION_URL: 'https://ats.example.com',
      FFMPEG_PATH: 'ffmpeg',
    };
    expect(() => readConfig(wrong)).toThrow(
      /PORT must be.*DATABASE_URL must.*ROLES must be one or more of web, worker, .*WORKER_QUEUES must be one or more of convert, transcribe, summarize, sync, .*ENCRYPTION_KEY must be 64.*TRUST_PROXY must be true or false.*YOUTUBE_TITLE must contain no placeholders other than \{funnelName\}.*FFMPEG_PATH must be the absolute path of a program.*DESTINATION_URL must contain \{jobId\}/s,
    );
  });

  test.each(['postgres://ann:pa/ss@host/x', 'postgres://ann:pa#ss@host/x', 'postgres://ann@[::1/x'])(
    'the configuration refuses %s, whose host is ambiguous or missing',
    (url) => {
      expect(() => readConfig({ DATABASE_URL: url })).toThrow(/DATABASE_URL must be an address such as/);
    },
  );

  test.each([
    'postgres://ann:pa%2Fss@host:5433/x?sslmode=verify-full',
    'postgresql://ann@/x?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun/x',
  ])('the configuration accepts %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
  });

  test.each(['prefer', 'require', 'verify-ca'])(
    'sslmode=%s of a database address becomes verify-full, as which pg treats it with a warning',
    (mode) => {
      const read = (query: string) => readConfig({ DATABASE_URL: `postgres://ann@host/x?${query}` }).DATABASE_URL;
      expect(read(`sslmode=${mode}`)).toBe('postgres://ann@host/x?sslmode=verify-full');
      expect(read(`a=b&sslmode=${mode}&c=d`)).toBe('postgres://ann@host/x?a=b&sslmode=verify-full&c=d');
      expect(read(`uselibpqcompat=true&sslmode=${mode}`)).toContain(`sslmode=${mode}`);
      expect(read('sslmode=no-verify')).toContain('sslmode=no-verify');
    },
  );

  test.each([
    'proxy.example.com:3128',
    'socks5://proxy:1080',
    'http://ann:50%@proxy:3128',
    'http://proxy:3128/path',
    'http://',
  ])('the configuration refuses %s as OUTGOING_PROXY, which is not the address of a proxy', (OUTGOING_PROXY) => {
    expect(() => readConfig({ OUTGOING_PROXY })).toThrow(/OUTGOING_PROXY must be an address such as http:/);
  });

  test.each(['interviews.example.com', 'https://interviews.example.com,', 'ftp://interviews.example.com'])(
    'the configuration refuses %s as PUBLIC_URL, which is not a list of addresses',
    (PUBLIC_URL) => {
      expect(() => readConfig({ PUBLIC_URL })).toThrow(/PUBLIC_URL must be addresses such as https:/);
    },
  );

  test.each([
    [{ ENCRYPTION_KEY_PREVIOUS: 'ab'.repeat(32) }, /ENCRYPTION_KEY_PREVIOUS needs ENCRYPTION_KEY\. Set .* or unset/],
    [
      { ENCRYPTION_KEY_PREVIOUS: 'ab'.repeat(32), ENCRYPTION_KEY: ' ', PORT: 'x' },
      /PORT must.*ENCRYPTION_KEY_PREVIOUS needs ENCRYPTION_KEY\./s,
    ],
    [{ DATABASE_OWNER_URL: 'postgres://ann@host/x' }, /DATABASE_OWNER_URL needs DATABASE_URL\. Set .* or unset/],
    [{ DATABASE_DIRECT_URL: 'postgres://ann@host/x' }, /DATABASE_DIRECT_URL needs DATABASE_URL\. Set .* or unset/],
    [{ MIGRATE: 'wait' }, /MIGRATE needs DATABASE_URL if it is wait, .* Set DATABASE_URL, or unset MIGRATE\./],
    [{ ROLES: 'web' }, /ROLES needs DATABASE_URL, .* Set DATABASE_URL, or unset ROLES\./],
    [{ WORKER_QUEUES: 'sync' }, /WORKER_QUEUES needs DATABASE_URL, .* or unset WORKER_QUEUES\./],
    [{ YOUTUBE_REFRESH_TOKEN: 't' }, /YOUTUBE_REFRESH_TOKEN needs YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET\./],
    [{ YOUTUBE_REFRESH_TOKEN: 't', YOUTUBE_CLIENT_ID: 'i' }, /YOUTUBE_REFRESH_TOKEN needs YOUTUBE_CLIENT_SECRET\./],
  ])('the configuration refuses %j, which needs another variable', (given, problem) => {
    expect(() => readConfig(given)).toThrow(problem);
  });

  test.each([
    [{}, []],
    [{ YOUTUBE_CLIENT_ID: 'i', YOUTUBE_CLIENT_SECRET: 's', YOUTUBE_REFRESH_TOKEN: 't' }, []],
    [
      { YOUTUBE_CLIENT_ID: 'i', YOUTUBE_CLIENT_SECRET: 's' },
      [/^YouTube .* YOUTUBE_REFRESH_TOKEN is missing\. .*connect/],
    ],
    [{ YOUTUBE_CLIENT_ID: 'i' }, [/YOUTUBE_CLIENT_SECRET and YOUTUBE_REFRESH_TOKEN are missing\./]],
    [
      { TRANSCRIPTION_API_KEY: 'k', SUMMARY_API_KEY: 'k' },
      [/^TRANSCRIPTION_API_KEY has.*_URL/, /^SUMMARY_API_KEY has/],
    ],
    [{ TRANSCRIPTION_API_KEY: 'k', TRANSCRIPTION_URL: 'https://x.example/v1' }, []],
    [
      { DATABASE_URL: 'postgres://ann@host/x', ROLES: 'web', WORKER_QUEUES: 'sync' },
      [/^WORKER_QUEUES has no effect: ROLES/],
    ],
    [{ ROLES: 'worker, web', WORKER_QUEUES: 'sync,summarize,transcribe,convert' }, []],
    [{ CLAMD_ADDRESS: '127.0.0.1:3310' }, [/^ClamAV .* above 2 GB.* MAX_VIDEO_BYTES=2147483647 or less/]],
    [{ CLAMD_ADDRESS: '/run/clamd.ctl', MAX_VIDEO_BYTES: '2147483647' }, []],
  ])('the configuration accepts %j and lists the settings without effect', (given, sentences) => {
    expect(unfinishedSettings(readConfig(given))).toEqual(sentences.map((text) => expect.stringMatching(text)));
  });

  test.each([
    [{}, []],
    [{ TRANSCRIPTION_URL: 'https://api.example.com/v1', SUMMARY_URL: 'http://10.1.2.3/v1' }, []],
    [{ SUMMARY_URL: 'http://whisper:8000/v1', TRANSCRIPTION_URL: 'http://gpu.home.arpa/v1' }, []],
    [{ S3_ENDPOINT: 'http://minio:9000' }, []],
    [{ S3_ENDPOINT: 'http://s3.example.com' }, [/^S3_ENDPOINT isn't encrypted/]],
    [{ SUMMARY_URL: 'http://[fd00::1]:8000/v1', CLAMD_ADDRESS: '/run/clamd.ctl' }, []],
    [
      { INTERVIEW_SERVICE_URL: 'http://interviews.example.com', SUMMARY_URL: 'http://8.8.8.8/v1' },
      [/^INTERVIEW_SERVICE_URL isn't encrypted.* https:/, /^SUMMARY_URL isn't/],
    ],
    [{ TRANSCRIPTION_URL: 'http://[2606:4700::1]/v1' }, [/^TRANSCRIPTION_URL isn't/]],
    [{ CLAMD_ADDRESS: 'clamav.example.com:3310' }, [/^CLAMD_ADDRESS is on the internet/]],
    [{ DATABASE_URL: 'postgres://ann@10.1.2.3/x' }, [/^DATABASE_URL leads to another machine.*sslmode=verify-full/]],
    [{ DATABASE_URL: 'postgres://ann@/x?host=db.example.com' }, [/^DATABASE_URL leads/]],
    [
      { DATABASE_URL: 'postgres://ann@db/x?sslmode=verify-full', DATABASE_OWNER_URL: 'postgres://owner@db/x' },
      [/^DATABASE_OWNER_URL leads/],
    ],
    [{ DATABASE_URL: 'postgres://ann@db/x?sslmode=disable' }, []],
    [{ DATABASE_URL: 'postgres://ann@localhost/x' }, []],
    [{ DATABASE_URL: 'postgres://ann@[::1]:5433/x' }, []],
    [{ DATABASE_URL: 'postgres://ann@/x?host=/var/run/postgresql' }, []],
    [{ DATABASE_URL: 'postgres://ann@%2Fvar%2Frun/x' }, []],
  ])('the configuration accepts %j and lists the addresses that are reached unencrypted', (given, sentences) => {
    expect(cleartextSettings(readConfig(given))).toEqual(sentences.map((text) => expect.stringMatching(text)));
  });

  test('the configuration refuses a contact that is neither an e-mail address nor a page', () => {
    for (const SECURITY_CONTACT of ['ann', 'http://example.com/report', 'tel:+1', 'a@b\nExpires: never'])
      expect(() => readConfig({ SECURITY_CONTACT })).toThrow(/SECURITY_CONTACT must be an e-mail address, or/);
  });

  test('the configuration removes slashes at the end of URLs', () => {
    expect(readConfig({ INTERVIEW_SERVICE_URL: 'https://interviews.example.com/v1//' }).INTERVIEW_SERVICE_URL).toBe(
      'https://interviews.example.com/v1',
    );
  });

  test('the configuration accepts any number of slashes and spaces around a URL', () => {
    const url = `  https://interviews.example.com/v1${'/'.repeat(100_000)} `;
    expect(readConfig({ SUMMARY_URL: url }).SUMMARY_URL).toBe('https://interviews.example.com/v1');
  });
});
