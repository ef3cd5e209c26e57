/** Items of which the least comes out first. Adding or removing one costs the logarithm of how many there are. */
type Heap<T> = {
  readonly push: (item: T) => void;
  /** The least, left where it is; undefined when there is none. */
  readonly least: () => T | undefined;
  readonly pop: () => T | undefined;
  readonly clear: () => void;
};

/** A binary heap by a number that each item keeps for as long as it is in it. */
export function heap<T>(keyOf: (item: T) => number): Heap<T> {
  const items: T[] = [];
  const isLess = (a: number, b: number): boolean => {
    const [one, other] = [items[a], items[b]];
    return one !== undefined && other !== undefined && keyOf(one) < keyOf(other);
  };
  const swap = (a: number, b: number): void => {
    const [one, other] = [items[a], items[b]];
    if (one === undefined || other === undefined) return;
    items[a] = other;
    items[b] = one;
  };
  return {
    push: (item) => {
      items.push(item);
      for (let at = items.length - 1, parent = (at - 1) >> 1; at > 0 && isLess(at, parent); ) {
        swap(at, parent);
        at = parent;
        parent = (at - 1) >> 1;
      }
    },
    least: () => items[0],
    pop: () => {
      const least = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return least;
      items[0] = last;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const child = isLess(left + 1, left) ? left + 1 : left;
        if (!isLess(child, at)) return least;
        swap(at, child);
        at = child;
      }
    },
    clear: () => {
      items.length = 0;
    },
  };
}
