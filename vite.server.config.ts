import { relative, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const ROOT = import.meta.dirname;
const SERVER = resolve(ROOT, 'src/server');
/** From `dist/server`, where the bundle lies, to here. */
const BACK = '../..';

/**
 * What no start needs stays a package that is loaded when it is used, and so does what finds files of its own beside its code. `pg`
 * asks for `pg-native` and goes on without it.
 */
const STAYS_OUTSIDE = [
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  'mediabunny',
  'openai',
  'pg-native',
  'undici',
  'wink-eng-lite-web-model',
  'wink-nlp',
];

/** Modules of the bundle find what lies beside their sources all the same: migrations, the scripts of threads, the built pages. */
const placesOfSources = (): Plugin => ({
  name: 'places-of-sources',
  transform(code, id) {
    if (!id.startsWith(SERVER) || !code.includes('import.meta.url')) return null;
    const place = `${BACK}/${relative(ROOT, id).replaceAll('\\', '/')}`;
    // On the same line, so that stacks stay right without a map of this step.
    return { code: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`), map: null };
  },
});

/** The server in few files, for `scripts/launch/server.mjs`; docs/decisions/0005 says why. */
export default defineConfig({
  publicDir: false,
  plugins: [placesOfSources()],
  resolve: { alias: { glob: `${SERVER}/bundle/no-glob.mjs` } },
  ssr: { noExternal: true, external: STAYS_OUTSIDE },
  build: {
    ssr: 'src/server/main.ts',
    target: 'esnext',
    minify: false,
    sourcemap: true,
    rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js', sourcemapExcludeSources: true } },
  },
});
