import { readProperty } from './values/read.js';

/** The `status` or `statusCode` of an error, or the first of other members, that is a status of HTTP. */
export function readStatus(error: unknown, names = ['status', 'statusCode']): number | undefined {
  for (const name of names) {
    const value = readProperty(error, name);
    // Anything else may throw when it is made a number.
    const status = typeof value === 'string' ? Number(value) : value;
    if (isStatus(status)) return status;
  }
  return undefined;
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599;
}
