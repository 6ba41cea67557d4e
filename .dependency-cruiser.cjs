/** Which room may import which: docs/ARCHITECTURE.md, "Dependency rule". Each comment says what to do instead. */

const TESTS = '\\.test\\.tsx?$';
/** What browser tests share. */
const TESTING = ['^src/web/testing/', '^src/web/features/[^/]+/testing/'];
const PROCESS = '^src/server/(main|serve)\\.ts$';
const FEATURES = '^src/server/features/';

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  {
    name: 'no-cycles',
    comment: 'Move what both need into a file of its own that imports neither.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'imports-resolve',
    comment: 'Nothing is there: correct the path, or add the package to package.json.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true, pathNot: '^undici/types/' },
  },
  {
    name: 'contracts-stand-alone',
    comment: 'Contracts import zod and each other. What needs more belongs to src/server or src/web.',
    severity: 'error',
    from: { path: '^src/contracts/', pathNot: TESTS },
    to: { pathNot: ['^src/contracts/', 'node_modules/zod/'] },
  },
  {
    name: 'web-knows-contracts-only',
    comment:
      'The browser reaches the server through an endpoint of src/contracts and `call()`. Share rules in src/contracts/rules.',
    severity: 'error',
    from: { path: '^src/web/' },
    to: { path: '^src/(server|sandbox)/' },
  },
  {
    name: 'sandbox-knows-contracts-only',
    comment:
      'The sandbox stands for the outside world: it may not know our server. Share through src/contracts, or repeat it.',
    severity: 'error',
    from: { path: '^src/sandbox/', pathNot: TESTS },
    to: { path: '^src/(server|web)/' },
  },
  {
    name: 'product-without-sandbox',
    comment: 'The product never imports the sandbox; it reaches it over HTTP. Start it in scripts/ or test/.',
    severity: 'error',
    from: { path: '^src/(contracts|server|web)/', pathNot: TESTS },
    to: { path: '^src/sandbox/' },
  },
  {
    name: 'ports-speak-our-words',
    comment:
      'A port is described with contracts and the platform only. What needs a library or the server is an adapter.',
    severity: 'error',
    from: { path: '^src/server/ports/', pathNot: TESTS },
    to: { pathNot: '^src/(contracts|server/ports)/', dependencyTypesNot: ['core'] },
  },
  {
    name: 'adapters-know-ports-only',
    comment:
      'An adapter fulfils a port and knows nothing else of the server: take what it needs as an argument from compose.ts.',
    severity: 'error',
    from: { path: '^src/server/adapters/', pathNot: TESTS },
    to: { path: '^src/(server|web)/', pathNot: '^src/server/(adapters|ports)/' },
  },
  {
    name: 'only-compose-picks-adapters',
    comment:
      'Take the port (src/server/ports) as an argument and let src/server/compose-adapters.ts hand over the adapter.',
    severity: 'error',
    from: {
      path: '^src/',
      pathNot: [
        '^src/server/compose(-adapters|-ground)?\\.ts$',
        '^src/server/cli/youtube-connect\\.ts$',
        '^src/server/adapters/',
        TESTS,
      ],
    },
    to: { path: '^src/server/adapters/' },
  },
  {
    name: 'features-meet-through-services',
    comment: "Import the other feature's *.service.ts, and add to it what is missing.",
    severity: 'error',
    from: { path: '^src/server/features/([^/]+)/' },
    to: { path: FEATURES, pathNot: ['^src/server/features/$1/', '\\.service\\.ts$'] },
  },
  {
    name: 'routes-translate-only',
    comment: 'A route calls one function of its *.service.ts; SQL belongs to the *.repo.ts behind that.',
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
    to: { path: '^src/server/http/', pathNot: '^src/server/http/session-guard\\.ts$' },
  },
  {
    name: 'ground-below-features',
    comment:
      'db, jobs, live, http and config carry the features and know none of them: take a function or an interface as an argument.',
    severity: 'error',
    from: { path: '^src/server/(db|jobs|live|http|config)/', pathNot: TESTS },
    to: { path: [FEATURES, '^src/server/adapters/'] },
  },
  {
    name: 'database-at-the-bottom',
    comment: 'src/server/db knows SQL and connections only: move this to the room that needs it.',
    severity: 'error',
    from: { path: '^src/server/db/', pathNot: TESTS },
    to: { path: '^src/server/(http|jobs|live|config)/' },
  },
  {
    name: 'jobs-and-live-without-http',
    comment: 'Jobs and live events run without a request. A socket is opened in a *.routes.ts.',
    severity: 'error',
    from: { path: '^src/server/(jobs|live)/', pathNot: ['\\.routes\\.ts$', TESTS] },
    to: { path: '^src/server/http/' },
  },
  {
    name: 'configuration-is-handed-over',
    comment: 'Take the values you need as arguments; main.ts, compose.ts and the command line read the configuration.',
    severity: 'error',
    from: {
      path: '^src/server/',
      pathNot: [
        '^src/server/(config|cli)/',
        '^src/server/compose(-adapters|-features|-ground|-http)?\\.ts$',
        PROCESS,
        TESTS,
      ],
    },
    to: { path: '^src/server/config/' },
  },
  {
    name: 'compose-below-main-only',
    comment: 'Only main.ts and the command line use the composed product. Pass on the part you need instead.',
    severity: 'error',
    from: {
      path: '^src/',
      pathNot: [PROCESS, '^src/server/cli/', '^src/server/compose(-adapters|-features|-ground|-http)?\\.ts$', TESTS],
    },
    to: { path: '^src/server/compose(-adapters|-features|-ground|-http)?\\.ts$' },
  },
  {
    name: 'nothing-above-main',
    comment: 'main.ts and cli/ are started, never imported. Move what you need to a file of its own.',
    severity: 'error',
    from: { path: '^src/', pathNot: ['^src/server/start\\.mjs$', '^src/server/cli/', TESTS] },
    to: { path: '^src/server/(main\\.ts$|cli/)' },
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
    comment: 'Production is installed without devDependencies: move the package to dependencies, or do without it.',
    severity: 'error',
    from: { path: '^src/(contracts|server)/', pathNot: TESTS },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/@types/' },
  },
];

module.exports = {
  forbidden,
  options: {
    // TypeScript 7 has no interface to parse with; read-imports.mjs makes swc see every import, type-only ones included.
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
