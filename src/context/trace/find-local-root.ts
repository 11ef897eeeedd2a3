import { isObject } from '../../internal/values/read.js';
import type { InnerClient } from '../../model/inner-client.js';
import { processWide } from '../process-wide.js';
import type { LocalRoot } from './local-root.js';

/** The local root of a recorded span; `undefined` for spans that do not record, and for spans of other processes. */
export function localRootOf(span: object): LocalRoot | undefined {
  return isObject(span) ? processWide().localRoots.get(span) : undefined;
}

/** Sets a span's local root; there may be one for each client whose own parts process the span. */
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

/** The local root seen by parts created for this client or, without one, by parts that serve the current client. */
export function localRootOwnedBy(span: object, owner: InnerClient | undefined): LocalRoot | undefined {
  const first = localRootOf(span);
  if (first === undefined || first.owner === owner) return first;
  return furtherRootsOf(span).find((root) => root.owner === owner);
}

/** The local root that the client sends as a transaction. */
export function localRootOfClient(span: object, client: InnerClient): LocalRoot | undefined {
  const first = localRootOf(span);
  if (first === undefined || first.client === client) return first;
  return furtherRootsOf(span).find((root) => root.client === client);
}

function furtherRootsOf(span: object): readonly LocalRoot[] {
  return processWide().furtherLocalRoots.get(span) ?? [];
}
