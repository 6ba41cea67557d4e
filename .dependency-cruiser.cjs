/** The import rules between rooms: docs/ARCHITECTURE.md, "Dependency rule". Each comment contains the fix. */

const TESTS = '\\.test\\.tsx?$';
/** Code that browser tests share. */
const TESTING = ['^src/web/testing/', '^src/web/features/[^/]+/testing/'];
const PROCESS = '^src/server/server\\.ts$';
const FEATURES = '^src/server/features/';
/** The files of browser features that other features may import. */
const PUBLIC_WEB_FILES = [
  '^src/web/features/drafts/',
  '^src/web/features/ats-pushes/(bulk-send-button|push-chip|send-dialog|send-item|use-ats-name)\\.tsx?$',
  '^src/web/features/shares/share-dialog\\.tsx$',
  '^src/web/features/session/(session|use-draft-key)\\.ts$',
  '^src/web/features/funnels/activate-funnel\\.ts$',
  '^src/web/features/refresh/(active-funnel-menu|refresh-(alert|button|status))\\.tsx?$',
  '^src/web/features/api-tokens/api-tokens-dialog\\.tsx$',
  '^src/web/features/uploads/(upload|sample)-button\\.tsx$',
  '^src/web/features/setup/(first-run|setup-dialog)\\.tsx$',
  '^src/web/features/shortcuts/shortcuts-dialog\\.tsx$',
  '^src/web/features/interviews/dialogs/destination/destination-dialog\\.tsx$',
  '^src/web/features/interviews/(interview-steps|interviews-query)\\.ts$',
  // The page of a link has the same controls.
  '^src/web/features/interviews/dialogs/player/(controls/.*|handle-player-key|use-spoken-segment)\\.tsx?$',
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  {
    name: 'no-cycles',
    comment: 'Move what both files need into a third file that imports neither.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'imports-resolve',
    comment: 'The module does not exist: correct the path, or add the package to package.json.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true, pathNot: '^undici/types/' },
  },
  {
    name: 'contracts-stand-alone',
    comment: 'Contracts import only zod and each other. Move code that needs more to src/server or src/web.',
    severity: 'error',
    from: { path: '^src/contracts/', pathNot: TESTS },
    to: { pathNot: ['^src/contracts/', 'node_modules/zod/'] },
  },
  {
    name: 'web-knows-contracts-only',
    comment: 'The browser calls the server through an endpoint of src/contracts. Share rules in src/contracts/rules.',
    severity: 'error',
    from: { path: '^src/web/' },
    to: { path: '^src/(server|sandbox)/' },
  },
  {
    name: 'web-lib-at-the-bottom',
    comment: 'src/web/lib contains no components and knows no page: move the file to src/web/ui or to its feature.',
    severity: 'error',
    from: { path: '^src/web/lib/', pathNot: TESTS },
    to: { path: '^src/web/(ui|features|app)/' },
  },
  {
    name: 'web-ui-without-features',
    comment: 'src/web/ui contains no product words: take the text or the data as a property.',
    severity: 'error',
    from: { path: '^src/web/ui/', pathNot: TESTS },
    to: { path: '^src/web/(features|app)/' },
  },
  {
    name: 'web-features-below-app',
    comment: 'The shell in src/web/app shows the features: take what you need as a property or move it to src/web/lib.',
    severity: 'error',
    from: { path: '^src/web/features/', pathNot: [TESTS, ...TESTING] },
    to: { path: '^src/web/app/' },
  },
  {
    name: 'web-features-meet-through-public-files',
    comment: 'Import a file listed in PUBLIC_WEB_FILES, or add one there that is meant for other features.',
    severity: 'error',
    from: { path: '^src/web/features/([^/]+)/', pathNot: [TESTS, ...TESTING] },
    to: { path: '^src/web/features/', pathNot: ['^src/web/features/$1/', ...PUBLIC_WEB_FILES] },
  },
  {
    name: 'sandbox-knows-contracts-only',
    comment:
      'The sandbox simulates external services, so it does not import the server. Share code in src/contracts, or repeat it.',
    severity: 'error',
    from: { path: '^src/sandbox/', pathNot: TESTS },
    to: { path: '^src/(server|web)/' },
  },
  {
    name: 'product-without-sandbox',
    comment: 'The product reaches the sandbox over HTTP only. Start the sandbox in scripts/ or test/.',
    severity: 'error',
    from: { path: '^src/(contracts|server|web)/', pathNot: TESTS },
    to: { path: '^src/sandbox/' },
  },
  {
    name: 'ports-speak-our-words',
    comment: 'A port uses only contracts and Node types. Code that needs a library or the server is an adapter.',
    severity: 'error',
    from: { path: '^src/server/ports/', pathNot: TESTS },
    to: { pathNot: '^src/(contracts|server/ports)/', dependencyTypesNot: ['core'] },
  },
  {
    name: 'adapters-know-ports-only',
    comment:
      'An adapter implements a port and imports nothing else of the server. Pass what it needs from compose-adapters.ts.',
    severity: 'error',
    from: { path: '^src/server/adapters/', pathNot: TESTS },
    to: { path: '^src/(server|web)/', pathNot: '^src/server/(adapters|ports|async)/' },
  },
  {
    name: 'only-compose-picks-adapters',
    comment: 'Take the port (src/server/ports) as an argument; src/server/compose-adapters.ts passes the adapter.',
    severity: 'error',
    from: {
      path: '^src/',
      pathNot: [
        '^src/server/compose(-adapters|-ats)?\\.ts$',
        '^src/server/cli/(ats|youtube)-command\\.ts$',
        '^src/server/(adapters|sources)/',
        TESTS,
      ],
    },
    to: { path: '^src/server/adapters/' },
  },
  {
    name: 'sources-know-ports-only',
    comment: 'A source implements ports with the kit for HTTP calls. Pass what else it needs from compose-adapters.ts.',
    severity: 'error',
    from: { path: '^src/server/sources/', pathNot: TESTS },
    to: {
      path: '^src/(server|web)/',
      pathNot: ['^src/server/(sources|ports|async|adapters/outside-http)/', '^src/server/config/values\\.ts$'],
    },
  },
  {
    name: 'sources-keep-apart',
    comment: 'A source does not import another one. Move shared code to src/server/sources.',
    severity: 'error',
    from: { path: '^src/server/sources/([^/]+)/', pathNot: TESTS },
    to: { path: '^src/server/sources/[^/]+/', pathNot: '^src/server/sources/$1/' },
  },
  {
    name: 'only-compose-and-config-read-sources',
    comment: 'Read the facts in src/contracts/sources.ts, or take a port as an argument.',
    severity: 'error',
    from: {
      path: '^src/',
      pathNot: ['^src/server/compose(-adapters|-features)?\\.ts$', '^src/server/(config|sources)/', TESTS],
    },
    to: { path: '^src/server/sources/' },
  },
  {
    name: 'features-meet-through-services',
    comment: "Import the other feature's *.service.ts, and add what is missing to it.",
    severity: 'error',
    from: { path: '^src/server/features/([^/]+)/' },
    to: { path: FEATURES, pathNot: ['^src/server/features/$1/', '\\.service\\.ts$'] },
  },
  {
    name: 'only-events-announce',
    comment:
      'Record an event (server/events) and add a live message to its row in compose-events.ts. Jobs, claims of uploads and deliveries of webhooks announce signals between processes.',
    severity: 'error',
    from: {
      path: '^src/server/',
      pathNot: [
        '^src/server/(events|jobs|live)/',
        `${FEATURES}logs/write-entry\\.ts$`,
        `${FEATURES}uploads/upload-claims\\.ts$`,
        `${FEATURES}outgoing-webhooks/announce-deliveries\\.ts$`,
        TESTS,
      ],
    },
    to: { path: '^src/server/live/announce\\.ts$' },
  },
  {
    name: 'only-events-write-log-entries',
    comment: 'Record an event (server/events) and add a log entry to its row in compose-events.ts.',
    severity: 'error',
    from: { path: '^src/', pathNot: ['^src/server/compose-events\\.ts$', TESTS] },
    to: { path: `${FEATURES}logs/write-entry\\.ts$` },
  },
  {
    name: 'routes-translate-only',
    comment: 'A route calls one function of its *.service.ts. SQL belongs in a *.repo.ts behind it.',
    severity: 'error',
    from: { path: `${FEATURES}.*\\.routes\\.ts$` },
    to: { path: ['\\.repo\\.ts$', '^src/server/db/'] },
  },
  {
    name: 'only-routes-know-http',
    comment:
      'Take plain values and return them; the *.routes.ts of the feature speaks HTTP. What the guard asks of sessions is excepted.',
    severity: 'error',
    from: { path: FEATURES, pathNot: ['\\.routes\\.ts$', TESTS] },
    to: { path: '^src/server/http/', pathNot: '^src/server/http/guards/session-guard\\.ts$' },
  },
  {
    name: 'infrastructure-below-features',
    comment:
      'db, events, jobs, runs, live, http and config do not import features or adapters. Take a function or an interface as an argument.',
    severity: 'error',
    from: { path: '^src/server/(async|db|events|jobs|runs|live|http|config)/', pathNot: TESTS },
    to: { path: [FEATURES, '^src/server/adapters/'] },
  },
  {
    name: 'database-at-the-bottom',
    comment: 'src/server/db contains only SQL and connections. Move this to the room that needs it.',
    severity: 'error',
    from: { path: '^src/server/db/', pathNot: TESTS },
    to: { path: '^src/server/(http|events|jobs|live|config)/' },
  },
  {
    name: 'jobs-and-live-without-http',
    comment: 'Jobs, events and live messages need no request. Open sockets in a *.routes.ts.',
    severity: 'error',
    from: { path: '^src/server/(events|jobs|runs|live)/', pathNot: ['\\.routes\\.ts$', TESTS] },
    to: { path: '^src/server/http/' },
  },
  {
    name: 'configuration-is-handed-over',
    comment: 'Take the values as arguments; server.ts, compose*.ts and the commands read the configuration.',
    severity: 'error',
    from: {
      path: '^src/server/',
      pathNot: [
        '^src/server/(config|cli|sources)/',
        '^src/server/compose(-adapters|-ats|-events|-features|-http|-infrastructure|-web|-work)?\\.ts$',
        PROCESS,
        TESTS,
      ],
    },
    to: { path: '^src/server/config/' },
  },
  {
    name: 'compose-below-main-only',
    comment: 'Only server.ts and the commands use the composed product. Pass on the part you need.',
    severity: 'error',
    from: {
      path: '^src/',
      pathNot: [
        PROCESS,
        '^src/server/cli/',
        '^src/server/compose(-adapters|-ats|-events|-features|-http|-infrastructure|-web|-work)?\\.ts$',
        TESTS,
      ],
    },
    to: { path: '^src/server/compose(-adapters|-ats|-events|-features|-http|-infrastructure|-web|-work)?\\.ts$' },
  },
  {
    name: 'nothing-above-main',
    comment: 'main.mjs, server.ts and cli/ are started, not imported. Move shared code to its own file.',
    severity: 'error',
    from: { path: '^src/', pathNot: ['^src/server/main\\.mjs$', '^src/server/cli/', TESTS] },
    to: { path: '^src/server/(main\\.mjs$|server\\.ts$|cli/)' },
  },
  {
    name: 'tests-stay-out',
    comment: 'The product does not import tests, benchmarks or scripts. Move what it needs into src.',
    severity: 'error',
    from: { path: '^src/', pathNot: [TESTS, ...TESTING] },
    to: { path: ['^(test|bench|scripts)/', TESTS, ...TESTING] },
  },
  {
    name: 'server-runs-without-tools',
    comment: 'Production is installed without devDependencies: move the package to dependencies, or remove the import.',
    severity: 'error',
    from: { path: '^src/(contracts|server)/', pathNot: TESTS },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/@types/' },
  },
];

module.exports = {
  forbidden,
  options: {
    // TypeScript 7 has no parser API. With read-imports.mjs, swc finds every import, also type-only ones.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
