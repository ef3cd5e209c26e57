/** Errors of messages as options: short names in groups, each with its sentence. Pure. */
type ErrorGroup = {
  readonly title: string;
  /** Names by code, in the order in which they are shown. */
  readonly names: Readonly<Record<string, string>>;
};

type Told = { readonly code: string; readonly detail: string };

/** The given errors by group; one that no group has stands last, under its sentence. */
export function errorOptions(errors: readonly Told[], groups: readonly ErrorGroup[]) {
  const told = new Map(errors.map(({ code, detail }) => [code, detail]));
  const grouped = groups.flatMap(({ title, names }) =>
    Object.entries(names).flatMap(([code, label]) => {
      const help = told.get(code);
      return help === undefined ? [] : [{ value: code, label, group: title, help }];
    }),
  );
  const known = new Set(grouped.map(({ value }) => value));
  const others = errors.filter(({ code }) => !known.has(code));
  return [...grouped, ...others.map(({ code, detail }) => ({ value: code, label: detail }))];
}
