import type { SerializedEnvelope } from '../model/delivery/store.js';
import type { StoreLimits } from './limits.js';

/** Of a file with several envelopes: what is above the limits is given up file by file. */
const MAX_FILE_BYTES = 256 * 1024;
const MAX_FILE_SHARE = 1 / 16;

/**
 * Divides envelopes into those of one file each. What shares a file is of the same categories, so that a rate limit holds back
 * all of a file or nothing.
 *
 * @returns first what is sent first
 */
export function groupForFiles<Envelope extends SerializedEnvelope>(
  envelopes: readonly Envelope[],
  limits: Pick<StoreLimits, 'maxBytes' | 'maxItems'>,
): Envelope[][] {
  const groups = new Map<string, Envelope[]>();
  for (const envelope of envelopes) {
    const key = `${envelope.priority} ${envelope.quantities.map(([category]) => category)}`;
    const group = groups.get(key);
    if (group) group.push(envelope);
    else groups.set(key, [envelope]);
  }
  const sorted = [...groups.values()].sort(([a], [b]) => a!.priority - b!.priority);
  return sorted.flatMap((group) => split(group, limits));
}

function split<Envelope extends SerializedEnvelope>(
  envelopes: readonly Envelope[],
  { maxBytes, maxItems }: Pick<StoreLimits, 'maxBytes' | 'maxItems'>,
): Envelope[][] {
  const maxFileBytes = Math.min(MAX_FILE_BYTES, maxBytes * MAX_FILE_SHARE);
  const maxFileItems = maxItems * MAX_FILE_SHARE;
  const parts: Envelope[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const envelope of envelopes) {
    bytes += envelope.body.length;
    if (bytes <= maxFileBytes && parts.at(-1)!.length < maxFileItems) parts.at(-1)!.push(envelope);
    else {
      parts.push([envelope]);
      bytes = envelope.body.length;
    }
  }
  return parts;
}

/**
 * Writes envelopes to one file, or to smaller ones if the disk has no room for it.
 *
 * @param write says whether a file could be written
 * @returns those that are written, the first ones
 */
export function writeWhatFits<Envelope>(
  envelopes: readonly Envelope[],
  write: (part: readonly Envelope[]) => boolean,
): readonly Envelope[] {
  if (write(envelopes)) return envelopes;
  if (envelopes.length === 1) return [];
  const half = Math.ceil(envelopes.length / 2);
  const written = writeWhatFits(envelopes.slice(0, half), write);
  return written.length < half ? written : [...written, ...writeWhatFits(envelopes.slice(half), write)];
}
