import { resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const DASHBOARD = resolve(import.meta.dirname, 'src/web/features/interviews/interviews-page.tsx');
/** The one file of Radix names all of its parts; of these the dashboard needs one at once. */
const RADIX = /[\\/]node_modules[\\/]radix-ui[\\/]/;
const RADIX_AT_ONCE = /[\\/]@radix-ui[\\/]react-slot[\\/]/;
const isFeature = (id: string) => /[\\/]src[\\/]web[\\/]features[\\/]/.test(id);

/** Over HTTP/1.1 each request waits for another: what the first screens need at once travels in few files. */
export function firstLoadChunks(): Rolldown.CodeSplittingOptions {
  let needed: Set<string> | undefined;
  const dashboardChunk =
    (name: string, isPart: (id: string) => boolean) => (id: string, graph: Rolldown.ChunkingContext) => {
      needed ??= withImports(DASHBOARD, graph);
      return needed.has(id) && isPart(id) ? name : null;
    };
  return {
    groups: [
      { name: 'app', tags: ['$initial'], priority: 2 },
      { name: dashboardChunk('shared', (id) => !isFeature(id)), priority: 1 },
      { name: dashboardChunk('dashboard', (id) => isFeature(id) && id !== DASHBOARD) },
    ],
  };
}

/** A module and all that it imports statically. */
function withImports(id: string, graph: Rolldown.ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  // Copied: the answer is reused by the next question.
  const imported = [...(graph.getModuleInfo(id)?.importedIds ?? [])];
  for (const next of imported) if (!RADIX.test(id) || RADIX_AT_ONCE.test(next)) withImports(next, graph, found);
  return found;
}

/** A chunk and all that it imports statically, also through others. */
function withChunks(file: string, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const chunk = bundle[file];
  if (chunk?.type === 'chunk') for (const next of chunk.imports) withChunks(next, bundle, found);
  return found;
}

/** The dashboard is nearly always what comes first or next: its files travel beside the first one, not after it. */
export function preloadDashboard(): Plugin {
  return {
    name: 'preload-dashboard',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk: entry }) {
        const page = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === DASHBOARD);
        if (!page) throw new Error('The dashboard is no chunk of its own.');
        return [...withChunks(page.fileName, bundle)]
          .filter((file) => file !== entry?.fileName)
          .map((file) => ({
            tag: 'link',
            injectTo: 'head',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          }));
      },
    },
  };
}
