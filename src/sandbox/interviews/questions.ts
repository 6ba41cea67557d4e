/**
 * Markup that an author pasted into the question editor, after the question; readers must strip it.
 */
export const HOSTILE_MARKUP = [
  '<script>window.__sandboxScriptRan = true</script>',
  '<img src="x" onerror="window.__sandboxImageRan = true">',
] as const;
