/** One function that undoes what several functions undo. */
export function undoAll(undo: readonly (() => void)[]): () => void {
  return () => {
    for (const one of undo) one();
  };
}
