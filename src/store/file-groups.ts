import type { SerializedEnvelope, StoreLimits } from '../model/delivery/store.js';

/** Size of a file with several envelopes. Small, because whole files are evicted when the store exceeds its limits. */
const MAX_FILE_BYTES = 256 * 1024;
const MAX_FILE_SHARE = 1 / 16;

/**
 * Divides envelopes into those of one file each. What shares a file is of the same categories, so that a rate limit delays
 * all of a file or nothing.
 *
 * @returns first what is sent first
 */
export function groupForFiles<Envelope extends SerializedEnvelope>(
  envelopes: readonly Envelope[],
  limits: StoreLimits,
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
  { maxBytes, maxItems }: StoreLimits,
): Envelope[][] {
  const maxFileBytes = Math.min(MAX_FILE_BYTES, maxBytes * MAX_FILE_SHARE);
  const maxFileItems = maxItems * MAX_FILE_SHARE;
  const parts: Envelope[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const envelope of envelopes) {
    const size = Buffer.byteLength(envelope.body);
    bytes += size;
    if (bytes <= maxFileBytes && parts.at(-1)!.length < maxFileItems) parts.at(-1)!.push(envelope);
    else {
      parts.push([envelope]);
      bytes = size;
    }
  }
  return parts;
}

/** Failed writes after which the rest is given up, because the process may be about to end. */
const MAX_FAILURES = 20;

/**
 * Writes envelopes to one file, or to smaller ones if the disk has no room for it. A part that is at least as large as one that
 * failed is not tried.
 *
 * @param write says whether a file could be written
 * @returns those that are written
 */
export function writeWhatFits<Envelope extends SerializedEnvelope>(
  envelopes: readonly Envelope[],
  write: (part: readonly Envelope[]) => boolean,
): readonly Envelope[] {
  let failures = 0;
  let tooLarge = Number.POSITIVE_INFINITY;
  const writeOrDivide = (part: readonly Envelope[]): readonly Envelope[] => {
    const size = part.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    if (size < tooLarge && failures < MAX_FAILURES) {
      if (write(part)) return part;
      failures += 1;
      tooLarge = size;
    }
    if (part.length === 1) return [];
    const half = Math.ceil(part.length / 2);
    return [...writeOrDivide(part.slice(0, half)), ...writeOrDivide(part.slice(half))];
  };
  return writeOrDivide(envelopes);
}
