import { isArray, readList } from '../../internal/values/read.js';
import { limitLength } from '../../internal/values/strings.js';
import { noteWrongMember } from './check-data.js';

const MAX_FINGERPRINT_PARTS = 50;
/** Characters of each fingerprint part. */
const MAX_FINGERPRINT_LENGTH = 1024;

/** A string is a fingerprint of one part. Numbers and booleans become strings. */
export function readFingerprint(value: unknown): string[] {
  const parts = readList(isArray(value) ? value : [value]).filter(isFingerprintPart);
  return parts.slice(0, MAX_FINGERPRINT_PARTS).map((part) => limitLength(String(part), MAX_FINGERPRINT_LENGTH));
}

/** Whether a value can be a part; notes one that cannot. */
function isFingerprintPart(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return true;
  noteWrongMember('fingerprint', 'each part', 'a string', value);
  return false;
}
