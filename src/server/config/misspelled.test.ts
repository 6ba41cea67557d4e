import { expect, test } from 'vitest';
import { misspelledVariables } from './misspelled.ts';
import { VARIABLES } from './variables.ts';

const warning = (given: string, meant: string) =>
  `${given} is not a variable of this product and has no effect. Did you mean ${meant}?`;

test.each([
  ['INTERVIEW_SERVICE_ULR', 'INTERVIEW_SERVICE_URL'],
  ['INTERVIEWS_SERVICE_URL', 'INTERVIEW_SERVICE_URL'],
  ['LOG_RETENTION', 'LOG_RETENTION_DAYS'],
  ['LOG_LEVELS', 'LOG_LEVEL'],
  ['PUBLIC_URLS', 'PUBLIC_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['DATABASE_URLS_FILE', 'DATABASE_URL_FILE'],
  ['DATABASE_OWNER', 'DATABASE_OWNER_URL'],
  ['ADMIN_PASSWORT', 'ADMIN_PASSWORD'],
  ['YOUTUBE_CLIENT', 'YOUTUBE_CLIENT_ID'],
  ['S3_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ['SUMMARY_BASE_URL', 'SUMMARY_URL'],
  ['OUTGOING_PROXY_EXCEPTIONS', 'OUTGOING_PROXY_EXCEPT'],
])('%s is reported with the nearest name', (given, meant) => {
  expect(misspelledVariables({ [given]: 'x', PATH: '/bin' })).toEqual([warning(given, meant)]);
});

test('variables of this product and of other programs are not reported', () => {
  const others = [
    ...[
      'PATH',
      'HOME',
      'HOSTNAME',
      'PWD',
      'OLDPWD',
      'SHLVL',
      'TERM',
      'LANG',
      'LC_ALL',
      'TZ',
      'USER',
      'LOGNAME',
      'SHELL',
    ],
    ...['TMPDIR', 'PORTS', 'POST', 'HOSTS', 'EDITOR', 'MAIL', 'DEBUG', 'CI', 'LOG_DIR', 'LOG_FORMAT', 'COLORTERM'],
    ...[
      'NODE_ENV',
      'NODE_OPTIONS',
      'NODE_EXTRA_CA_CERTS',
      'NODE_COMPILE_CACHE',
      'NODE_CHANNEL_FD',
      'UV_THREADPOOL_SIZE',
    ],
    ...['npm_config_cache', 'npm_lifecycle_event', 'npm_package_name', 'npm_execpath', 'INIT_CWD', 'HTTP_PROXY'],
    ...['HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
    ...['KUBERNETES_SERVICE_HOST', 'KUBERNETES_PORT_443_TCP_ADDR', 'DATABASE_SERVICE_HOST', 'DATABASE_SERVICE_PORT'],
    ...['DATABASE_SERVICE_PORT_POSTGRES', 'DATABASE_PORT', 'DATABASE_PORT_5432_TCP', 'DATABASE_PORT_5432_TCP_PROTO'],
    ...['INTERVIEWS_WEB_SERVICE_HOST', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ROLE_ARN'],
    ...['PGHOST', 'PGUSER', 'PGPASSWORD', 'POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB', 'XDG_RUNTIME_DIR'],
    ...[
      'SYSTEMD_EXEC_PID',
      'INVOCATION_ID',
      'JOURNAL_STREAM',
      'NOTIFY_SOCKET',
      'CREDENTIALS_DIRECTORY',
      'SSH_AUTH_SOCK',
    ],
    ...['VITEST', 'VITEST_POOL_ID', 'TEST_LOG_LEVEL', 'DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'SESSION_MANAGER', '_'],
  ];
  const own = Object.keys(VARIABLES);
  const files = ['DATABASE_URL_FILE', 'METRICS_TOKEN_FILE', 'ENCRYPTION_KEY_PREVIOUS_FILE', 'OUTGOING_PROXY_FILE'];
  expect(misspelledVariables(Object.fromEntries([...others, ...own, ...files].map((name) => [name, 'x'])))).toEqual([]);
});
