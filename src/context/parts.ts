import { isObject } from '../internal/values/read.js';
import type { InnerClient } from '../model/inner-client.js';
import { registerCopy } from './copies.js';
import { type PartKind, processWide } from './process-wide.js';

/** Called by each of our OpenTelemetry parts when it is created. @param client it was created for, if any */
export function registerPart(part: object, kind: PartKind, client?: InnerClient): void {
  registerCopy();
  const { parts, partKinds } = processWide();
  partKinds.add(kind);
  parts.set(part, { kind, client });
}

/** Whether a value is one of our parts, including those of other copies of this package. */
export function isPartOfKind(value: unknown, kind: PartKind): value is object {
  return isObject(value) && processWide().parts.get(value)?.kind === kind;
}

/** The client that a part was created for; `undefined` if it serves the current one. */
export function clientOfPart(part: object): InnerClient | undefined {
  return processWide().parts.get(part)?.client;
}

/** Whether any part of a kind was ever created. */
export function wasMade(kind: PartKind): boolean {
  return processWide().partKinds.has(kind);
}
