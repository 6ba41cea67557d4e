import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { firstLoadChunks, preloadDashboard } from './vite.first-load.ts';

const COMPRESSIBLE = /\.(js|css|html|svg|json|txt)$/;
/** Below this a compressed copy saves less than its own headers cost. */
const SMALLEST_BYTES = 512;

/** Writes `.br` and `.gz` beside every text asset once, at build, so that the server compresses nothing while it serves. */
function precompress(): Plugin {
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = 'dist/web' }, bundle) {
      const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = join(dir, name);
          const content = await readFile(file);
          if (content.length < SMALLEST_BYTES) return;
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
          await Promise.all([
            brotli(content, quality).then((packed) => writeFile(`${file}.br`, packed)),
            zip(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
          ]);
        }),
      );
    },
  };
}

const isZodCore = (id: string) => id.endsWith('/zod/v4/core/core.js');

// The footer says when this was built.
process.env.VITE_BUILT_AT ??= new Date().toISOString();

const target = process.env.VITE_API_TARGET ?? 'http://127.0.0.1:5000';

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadDashboard(), precompress()],
  // Every file the browser loads has a hashed name below /assets.
  publicDir: false,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // light-dark() is what the theme is made of; older targets would have it rewritten into twice the CSS.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts and pictures stay files: data: addresses would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Zod tries whether it may make code of strings, and every browser complains of it under our policy. It asks while the first
        // schema is made, so this stands before it in its own file: no module of ours comes as early.
        banner: ({ moduleIds }) => (moduleIds.some(isZodCore) ? 'globalThis.__zod_globalConfig={jitless:true};' : ''),
        codeSplitting: firstLoadChunks(),
      },
    },
  },
  server: {
    proxy: {
      '/api': { target },
      '/ws': { target, ws: true },
    },
  },
});
