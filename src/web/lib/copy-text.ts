/** Copies to the clipboard. False where the page may not: clipboards need a secure page or localhost. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
