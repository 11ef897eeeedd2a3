const SPARE_ROWS = 8;

/** The rows of a long list that can be seen, with a few above and below; `end` is the index after the last. */
export function findVisibleRows(count: number, rowHeight: number, scrollTop: number, height: number) {
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight), count) - SPARE_ROWS);
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + SPARE_ROWS);
  return { first, end: Math.max(first, end) };
}
