import { replaceMethod } from '../internal/patching/replace-method.js';
import { markWrapped, wrappedFunctionOf } from '../internal/patching/wrapped.js';
import type { Integration } from '../model/contracts.js';

/**
 * Makes `toString` of functions wrapped by the SDK return the original's source, for code that inspects it, for example
 * to detect native functions.
 */
export function functionToStringIntegration(): Integration {
  return {
    name: 'FunctionToString',
    setup() {
      const { prototype } = Function;
      const original = prototype.toString;
      let isStopped = false;
      // A method, because methods, like the original, have no prototype and cannot be constructed.
      const holder = {
        toString(this: unknown): string {
          return Reflect.apply(original, (isStopped ? undefined : wrappedFunctionOf(this)) ?? this, []);
        },
      };
      const restore = replaceMethod(prototype, 'toString', markWrapped(holder.toString, original));
      return () => {
        isStopped = true;
        restore();
      };
    },
  };
}
