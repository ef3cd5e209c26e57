/** Errors of messages to choose from: short names in groups, each with its sentence. Pure. */
export type ErrorGroup = {
  readonly title: string;
  /** What each code is called there, in the order in which they are shown. */
  readonly names: Readonly<Record<string, string>>;
};

type Told = { readonly code: string; readonly detail: string };

/** Those that are told of, by group; one that no group knows stands last, under its sentence. */
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
