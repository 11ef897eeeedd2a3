/** Combines functions that undo something into one. */
export function undoAll(undo: readonly (() => void)[]): () => void {
  return () => {
    for (const one of undo) one();
  };
}
