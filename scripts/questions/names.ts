/** Ids of messages, batches and accounts as a page shows them: the same each time, by the order in which they come. */
export type IdNames = {
  readonly shown: (text: string) => string;
  /** The other way round, for a command of the page. */
  readonly meant: (text: string) => string;
};

const ULID = /\b0[0-7][0-9A-HJKMNP-TV-Z]{24}\b/g;

export function namesOfIds(): IdNames {
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  const nameOf = (id: string): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const name = `01KJPWD6M0${String(names.size + 1).padStart(16, "0")}`;
    names.set(id, name);
    ids.set(name, id);
    return name;
  };
  return {
    shown: (text) => text.replaceAll(ULID, nameOf),
    meant: (text) => text.replaceAll(ULID, (name) => ids.get(name) ?? name),
  };
}
