import { createRequire } from 'node:module';

/**
 * Preloaded into dependency-cruiser. Its own use of swc (version 17.4) fails on JSX
 * (`src/extract/swc/parse.mjs`, "TODO: {tj}sx ?") and on `using`, and ignores `import('…')` in
 * types. This parser collects every import and returns a module that consists of these imports
 * only.
 */
const swc = createRequire(import.meta.url)('@swc/core');
const { parseFileSync } = swc;

swc.parseFileSync = (file, options) => {
  const module = parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });
  const { span } = module;
  const body = [...new Set(importsIn(module))].map((value) => ({
    type: 'ImportDeclaration',
    span,
    specifiers: [],
    source: { type: 'StringLiteral', span, value },
  }));
  return { ...module, body };
};

/** Yields static, dynamic, re-exported and type-only imports. */
function* importsIn(node) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const item of node) yield* importsIn(item);
    return;
  }
  const named = NAMES_A_MODULE[node.type]?.(node);
  if (typeof named === 'string') yield named;
  for (const value of Object.values(node)) yield* importsIn(value);
}

const NAMES_A_MODULE = {
  ImportDeclaration: ({ source }) => source.value,
  ExportAllDeclaration: ({ source }) => source.value,
  ExportNamedDeclaration: ({ source }) => source?.value,
  TsImportType: ({ argument }) => argument.value,
  CallExpression: ({ callee, arguments: [first] }) => (callee.type === 'Import' ? first?.expression.value : undefined),
};
