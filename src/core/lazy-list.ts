/** A list whose items come one after the other: an array, or one that makes its items while it is iterated, which may be done again. */
type ItemList = Iterable<unknown> & { readonly length: number };

const IS_MADE = Symbol("items are made");

/** A list that makes its items. */
export function lazyItems(length: number, items: () => Iterator<unknown>): ItemList {
  const made = { length, [Symbol.iterator]: items };
  return Object.defineProperty(made, IS_MADE, { value: true });
}

/** Whether a value of JSON is a list. */
export function isItemList(value: unknown): value is ItemList {
  return Array.isArray(value) || (typeof value === "object" && value !== null && IS_MADE in value);
}
