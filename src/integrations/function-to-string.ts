import { markWrapped, originalOf } from '../internal/wrapped.js';
import type { Integration } from '../model/contracts.js';

/**
 * Lets functions that the SDK wrapped print as what they stand in for, for code that looks at the source of a function,
 * be it to tell whether it is Node's own.
 */
export function functionToStringIntegration(): Integration {
  return {
    name: 'FunctionToString',
    setup() {
      const { prototype } = Function;
      const original = prototype.toString;
      let isStopped = false;
      // A method, because it has no more of its own than the original: no prototype, and no use as a constructor.
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
