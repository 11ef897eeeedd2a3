import { stringify } from '../../internal/values/json.js';
import { readString } from '../../internal/values/read.js';
import type { OutgoingItem } from '../../model/delivery/outbox.js';

/**
 * What to send in place of an envelope that the destination finds too large: each of its items by itself, or a smaller
 * form of its only item.
 *
 * @returns the items of one envelope each; `undefined` when nothing is left that could be smaller
 */
export function splitOrShrink(items: readonly OutgoingItem[]): OutgoingItem[][] | undefined {
  if (items.length > 1) {
    // Attachments belong to the event that the header names.
    const envelopeHeaders = items[0]?.envelopeHeaders;
    return items.map((item) => [{ envelopeHeaders, ...item }]);
  }
  const smaller = items[0]?.shrink?.();
  return smaller && [[smaller]];
}

/** Says which envelope the destination found too large, how large it is, and what becomes of it. */
export function explainTooLarge(
  items: readonly OutgoingItem[],
  smaller: readonly OutgoingItem[][] | undefined,
): string {
  const [first] = items;
  const [headers] = first?.content ?? [];
  const id = first?.envelopeHeaders?.event_id;
  const what = [readString(headers, 'type') ?? 'envelope', id].filter(Boolean).join(' ');
  const bytes = items.reduce((sum, { content }) => sum + sizeOf(content[1]), 0);
  return `the destination refused ${what} as too large (${Math.ceil(bytes / 1024)} kB): ${fateOf(smaller)}`;
}

function fateOf(smaller: readonly OutgoingItem[][] | undefined): string {
  if (smaller === undefined) return 'it is lost. Add less data to events, or raise the limit of the server';
  // Only attachments share an envelope with another item.
  if (smaller.length > 1) return 'it is sent again, with its attachments in separate requests';
  return 'it is sent again with less of its data, source lines and breadcrumbs';
}

function sizeOf(payload: unknown): number {
  return Buffer.byteLength(typeof payload === 'string' || payload instanceof Uint8Array ? payload : stringify(payload));
}
