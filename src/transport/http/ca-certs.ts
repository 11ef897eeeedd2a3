import { X509Certificate } from 'node:crypto';
import { noteMistake } from '../../internal/options/mistakes.js';
import { describeThrown } from '../../internal/values/strings.js';

/** The certificates of an option. None, and a message, if one cannot be read, because it would make every request fail. */
export function readCaCerts(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  try {
    const list = (Array.isArray(value) ? value : [value]) as (string | Uint8Array)[];
    for (const one of list) new X509Certificate(one);
    return list.map((one) => Buffer.from(one as string).toString());
  } catch (error) {
    const problem = `must be certificates in PEM format (${describeThrown(error)}); they are ignored, and the authorities of Node are trusted`;
    noteMistake({ owner: 'transportOptions.caCerts', problem });
    return undefined;
  }
}
