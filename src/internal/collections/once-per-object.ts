/** Makes a function that computes its result once for each object, and keeps it as long as the object lives. */
export function oncePerObject<Key extends object, Value extends object>(compute: (key: Key) => Value) {
  const values = new WeakMap<Key, Value>();
  return (key: Key): Value => {
    let value = values.get(key);
    if (value === undefined) {
      value = compute(key);
      values.set(key, value);
    }
    return value;
  };
}
