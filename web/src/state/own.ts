/** Objects that serve as maps, with keys from machine files. */

/**
 * What an object holds under a key; undefined where it holds nothing of its own.
 *
 * A group may be called "toString" and a class "__proto__": what every object inherits is no answer.
 */
export function own<Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
