import { createPrivateSlot } from '../../internal/collections/private-slot.js';
import type { Remembered } from '../../internal/values/normalize.js';
import { isObject } from '../../internal/values/read.js';
import type { Contexts } from './event.js';

/** The last normalized form of a context that never changes. */
interface ConstantContext {
  normalized: Remembered<Contexts[string]> | undefined;
}

const constants = createPrivateSlot<ConstantContext>();

/** Declares that a context never changes, so that it is normalized and serialized once for all events. User code gets copies. */
export function declareConstant<T extends object>(context: T): T {
  constants.set(context, { normalized: undefined });
  return context;
}

export function constantOf(context: unknown): ConstantContext | undefined {
  return isObject(context) ? constants.get(context) : undefined;
}
