import type { InnerClient } from '../model/inner-client.js';
import type { LocalRoot } from './local-root.js';
import { processWide } from './process-wide.js';

/** The local root of a recorded span; `undefined` for spans that do not record, and for those of other processes. */
export function localRootOf(span: object): LocalRoot | undefined {
  return typeof span === 'object' && span !== null ? processWide().localRoots.get(span) : undefined;
}

/** Remembers which local root a span belongs to: one for each client whose own parts the span passes through. */
export function setLocalRoot(span: object, root: LocalRoot): void {
  const { localRoots, furtherLocalRoots } = processWide();
  const first = localRoots.get(span);
  if (first === undefined || first.owner === root.owner) {
    localRoots.set(span, root);
    return;
  }
  const others = furtherLocalRoots.get(span)?.filter(({ owner }) => owner !== root.owner) ?? [];
  furtherLocalRoots.set(span, [...others, root]);
}

/** The local root that parts made for the given client have seen, or, without one, parts that serve the current one. */
export function localRootOwnedBy(span: object, owner: InnerClient | undefined): LocalRoot | undefined {
  const first = localRootOf(span);
  if (first === undefined || first.owner === owner) return first;
  return furtherRootsOf(span).find((root) => root.owner === owner);
}

/** The local root of which the given client makes a transaction. */
export function localRootOfClient(span: object, client: InnerClient): LocalRoot | undefined {
  const first = localRootOf(span);
  if (first === undefined || first.client === client) return first;
  return furtherRootsOf(span).find((root) => root.client === client);
}

function furtherRootsOf(span: object): readonly LocalRoot[] {
  return processWide().furtherLocalRoots.get(span) ?? [];
}
