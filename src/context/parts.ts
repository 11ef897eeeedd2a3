import type { InnerClient } from '../model/inner-client.js';
import { type PartKind, processWide, registerInstance } from './process-wide.js';

/** Called by each OpenTelemetry part of ours when it is made. @param client for which it was made, if for any */
export function registerPart(part: object, kind: PartKind, client?: InnerClient): void {
  registerInstance();
  const { parts, partKinds } = processWide();
  partKinds.add(kind);
  parts.set(part, { kind, client });
}

/** Whether a value is a part of ours, also one that another copy of this package has made. */
export function isPartOfKind(value: unknown, kind: PartKind): value is object {
  return typeof value === 'object' && value !== null && processWide().parts.get(value)?.kind === kind;
}

/** The client that a part was made for; `undefined` where it serves the current one. */
export function clientGivenTo(part: object): InnerClient | undefined {
  return processWide().parts.get(part)?.client;
}

/** Whether any part of a kind was ever made. */
export function wasMade(kind: PartKind): boolean {
  return processWide().partKinds.has(kind);
}
