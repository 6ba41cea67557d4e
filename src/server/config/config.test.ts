import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

describe('the configuration', () => {
  test('needs no variable', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 5000,
      HOST: '127.0.0.1',
      ADMIN_USERNAME: 'admin',
      LOG_RETENTION_DAYS: 365,
      TRUST_PROXY: false,
    });
  });

  test('counts empty variables as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '  ' })).toMatchObject({ PORT: 5000 });
  });

  test('names every wrong variable at once and says what would be right', () => {
    const wrong = {
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      ENCRYPTION_KEY: 'short',
      TRUST_PROXY: 'maybe',
      DESTINATION_URL: 'https://ats.example.com',
    };
    expect(() => readConfig(wrong)).toThrow(
      /PORT must be.*DATABASE_URL must.*ENCRYPTION_KEY must be 64.*TRUST_PROXY must be true or false.*DESTINATION_URL must contain \{jobId\}/s,
    );
  });

  test('takes addresses without the slash at their end', () => {
    expect(readConfig({ INTERVIEW_SERVICE_URL: 'https://interviews.example.com/v1//' }).INTERVIEW_SERVICE_URL).toBe(
      'https://interviews.example.com/v1',
    );
  });
});
