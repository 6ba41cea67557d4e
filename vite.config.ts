import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|html|svg|json|txt)$/;
/** Smaller files gain nothing from compression. */
const MIN_BYTES = 512;

/**
 * Writes `.br` and `.gz` copies of text assets at build time, so that the server compresses
 * nothing.
 */
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
          if (content.length < MIN_BYTES) return;
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

// The footer shows the build time.
process.env.VITE_BUILT_AT ??= new Date().toISOString();

const target = process.env.VITE_API_TARGET ?? 'http://127.0.0.1:5000';

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  // Every asset has a hashed name below /assets.
  publicDir: false,
  build: {
    outDir: 'dist/web',
    // The launcher deletes old files: open pages still load files of earlier builds.
    emptyOutDir: false,
    // These browsers support light-dark(). For older ones Vite would rewrite it to twice the CSS.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts and images stay files, because data: URLs would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    // One file for all that the first screen needs, instead of thirty small ones.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
  },
  server: {
    proxy: {
      '/api': { target },
      '/ws': { target, ws: true },
    },
  },
});
