import type { Commanded } from "./exchanges.ts";
import type { History } from "./history.ts";

/** The same reading of a history, done when it is first asked for and kept: a long run is asked the same thing for each message. */
export function once<T>(read: (history: History) => T): (history: History) => T {
  const known = new WeakMap<History, { readonly value: T }>();
  return (history) => {
    const found = known.get(history) ?? { value: read(history) };
    known.set(history, found);
    return found.value;
  };
}

const commandsByNames = once(() => new Map<string, readonly Commanded[]>());

/** The commands of some names, in their order. */
export function commandsNamed(history: History, ...names: readonly string[]): readonly Commanded[] {
  const all = commandsByNames(history);
  const key = names.join();
  const found = all.get(key) ?? history.commands.filter(({ name }) => names.includes(name));
  all.set(key, found);
  return found;
}
