import { isAnyArrayBuffer, isProxy } from 'node:util/types';
import { isObject } from '../internal/values/read.js';

const MAX_OBJECTS = 500;
const MAX_MEMBERS_PER_OBJECT = 1000;
const MAX_MEMBERS = 10_000;
const BYTES_PER_MEMBER = 16;

/**
 * Estimates how much memory a value keeps alive. Visits a few hundred objects at most and extrapolates from them. Calls
 * no getters or proxy traps.
 *
 * @returns bytes; a string counts one per character
 */
export function estimateEventBytes(value: unknown): number {
  const objects: object[] = [];
  let bytes = 0;
  let members = 0;
  const add = (one: unknown): void => {
    members += 1;
    bytes += BYTES_PER_MEMBER;
    if (typeof one === 'string') bytes += one.length;
    else if (isObject(one) && !isProxy(one)) objects.push(one);
  };
  add(value);
  let visited = 0;
  let skippedMembers = 0;
  while (visited < objects.length && visited < MAX_OBJECTS && members < MAX_MEMBERS) {
    const object = objects[visited++]!;
    if (ArrayBuffer.isView(object)) bytes += object.buffer.byteLength;
    else if (isAnyArrayBuffer(object)) bytes += object.byteLength;
    else {
      const keys = Object.keys(object);
      skippedMembers += Math.max(keys.length - MAX_MEMBERS_PER_OBJECT, 0);
      const read = Math.min(keys.length, MAX_MEMBERS_PER_OBJECT);
      for (let i = 0; i < read; i++) add(Object.getOwnPropertyDescriptor(object, keys[i]!)?.value);
    }
  }
  const unvisited = objects.length - visited + skippedMembers;
  return bytes + unvisited * (bytes / members);
}
