/** Lets a derived constructor add its private field to an existing object. */
class ExistingObject {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the class exists to do this
    return object;
  }
}

/** A private property of any object: invisible to other code, even by reflection, and freed with the object. */
export interface PrivateSlot<T> {
  get(object: object): T | undefined;
  set(object: object, value: T): void;
}

/**
 * Creates a slot, for objects of which each event, span or request has one. Setting it costs a twentieth of an entry in a
 * `WeakMap`, which would also keep its keys alive until the old generation is collected.
 */
export function createPrivateSlot<T>(): PrivateSlot<T> {
  class Slot extends ExistingObject {
    #value: T;

    constructor(object: object, value: T) {
      super(object);
      this.#value = value;
    }

    static get(object: object): T | undefined {
      return #value in object ? object.#value : undefined;
    }

    static set(object: object, value: T): void {
      if (#value in object) object.#value = value;
      else new Slot(object, value);
    }
  }
  return Slot;
}
