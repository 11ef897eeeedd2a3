import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findVisibleRows } from './visible-rows.js';

interface LongListProps<Item> {
  readonly items: readonly Item[];
  /** Pixels; the same for all rows. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item, index: number) => string;
  readonly render: (item: Item) => ComponentChildren;
  readonly label: string;
}

/** A list of any length; only the rows that can be seen are in the document. */
export function LongList<Item>({ items, rowHeight, keyOf, render, label }: LongListProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 1000 });
  useLayoutEffect(() => {
    const element = frame.current!;
    const measure = () => setView({ scrollTop: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const { first, end } = findVisibleRows(items.length, rowHeight, view.scrollTop, view.height);
  return (
    <section class="long-list" ref={frame} aria-label={label}>
      <div style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, end).map((item, index) => (
          <div
            class="long-list-row"
            key={keyOf(item, first + index)}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {render(item)}
          </div>
        ))}
      </div>
    </section>
  );
}
