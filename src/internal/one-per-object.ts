/** A function that makes one value for each object, at first use; values go when their objects go. */
export function onePerObject<Key extends object, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) {
      value = create(key);
      values.set(key, value);
    }
    return value;
  };
}
