import { markWrapped, originalOf } from '../internal/wrapped.js';
import type { Integration } from '../model/contracts.js';

/**
 * Makes `toString` of functions that the SDK wrapped return the source of the original, for code that looks at it, for
 * example to recognize Node's own functions.
 */
export function functionToStringIntegration(): Integration {
  return {
    name: 'FunctionToString',
    setup() {
      const { prototype } = Function;
      const original = prototype.toString;
      let isStopped = false;
      // A method, because methods have no prototype and cannot be constructed, like the original.
      const holder = {
        toString(this: unknown): string {
          return Reflect.apply(original, (isStopped ? undefined : originalOf(this)) ?? this, []);
        },
      };
      replaceToString(prototype, markWrapped(holder.toString, original));
      return () => {
        isStopped = true;
        if (prototype.toString === holder.toString) replaceToString(prototype, original);
      };
    },
  };
}

function replaceToString(prototype: object, value: () => string): void {
  Object.defineProperty(prototype, 'toString', { value, configurable: true, writable: true, enumerable: false });
}
