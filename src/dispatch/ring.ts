/** A place in a ring, by which it is taken out again. */
export type RoundRobinEntry<T> = { readonly item: T; before: RoundRobinEntry<T>; after: RoundRobinEntry<T> };

/**
 * Items that take turns. Whatever is done costs the same with two of them as with a hundred thousand, and nobody else
 * loses a turn by it.
 */
export type RoundRobin<T> = {
  /** Whose turn it is; null when the ring is empty. */
  readonly current: () => T | null;
  /** Ends the turn. */
  readonly advance: () => void;
  /** Lets an item take part whose turn comes after that of all others, or before. */
  readonly addLast: (item: T) => RoundRobinEntry<T>;
  readonly addNext: (item: T) => RoundRobinEntry<T>;
  /** Takes an item out, once. If it had the turn, the one after it has it. */
  readonly remove: (place: RoundRobinEntry<T>) => void;
};

export function roundRobin<T>(): RoundRobin<T> {
  let turn: RoundRobinEntry<T> | null = null;

  const insert = (item: T): RoundRobinEntry<T> => {
    const place = { item } as RoundRobinEntry<T>;
    place.after = turn ?? place;
    place.before = turn?.before ?? place;
    place.before.after = place;
    place.after.before = place;
    turn ??= place;
    return place;
  };

  return {
    current: () => turn?.item ?? null,
    advance: () => {
      turn = turn?.after ?? null;
    },
    addLast: insert,
    addNext: (item) => {
      turn = insert(item);
      return turn;
    },
    remove: (place) => {
      const isAlone = place.after === place;
      place.before.after = place.after;
      place.after.before = place.before;
      if (isAlone) turn = null;
      else if (turn === place) turn = place.after;
    },
  };
}
