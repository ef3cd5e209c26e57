/** What several pages about traffic share. */
import { query } from "../../state/router.ts";

/** A column whose title is plain text. */
export function toPlainColumn(key: string, title: string) {
  return { key, title, label: title };
}

/** A filter of the address; undefined where it is not set. */
export function filter(name: string): string | undefined {
  const value = query.value.get(name)?.trim();
  return value === "" ? undefined : value;
}

/** Filters of the address that are asked with, and the text by which a list knows that they changed. */
export function filtersNamed<Name extends string>(...names: readonly Name[]) {
  const given = names.flatMap((name) => {
    const value = filter(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    asked: Object.fromEntries(given) as { readonly [Each in Name]?: string },
    key: JSON.stringify(given),
  };
}
