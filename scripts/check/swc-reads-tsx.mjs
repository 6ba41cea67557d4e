import { createRequire } from 'node:module';

/**
 * Preloaded into dependency-cruiser, which asks swc to read every file as TypeScript without JSX and so fails at the first
 * component (`src/extract/swc/parse.mjs` of version 17.4: "TODO: {tj}sx ?"). Remove when it passes `tsx` itself.
 */
const swc = createRequire(import.meta.url)('@swc/core');
const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });
