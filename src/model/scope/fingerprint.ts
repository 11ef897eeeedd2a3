import { readList } from '../../internal/values/read.js';
import { limitLength } from '../../internal/values/strings.js';

const MAX_FINGERPRINT_PARTS = 50;
/** Characters of each fingerprint part. */
const MAX_FINGERPRINT_LENGTH = 1024;

/** A string is a fingerprint of one part. */
export function readFingerprint(value: unknown): string[] {
  const parts = typeof value === 'string' ? [value] : readList(value);
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .slice(0, MAX_FINGERPRINT_PARTS)
    .map((part) => limitLength(String(part), MAX_FINGERPRINT_LENGTH));
}
