/** Reads the text that Prometheus reads, and says what `promtool check metrics` would say of it. */

export type Series = { readonly name: string; readonly labels: string; readonly value: number };

export type Exposition = {
  readonly series: readonly Series[];
  /** By family: its type. */
  readonly types: ReadonlyMap<string, string>;
  /** What breaks the format or the conventions (prometheus.io/docs/practices/naming). */
  readonly faults: readonly string[];
  /** The value of the series with these labels, as they are written; undefined where it is not there. */
  readonly value: (name: string, labels?: string) => number | undefined;
};

const LINE = /^([a-z_:][a-z0-9_:]*)(?:\{((?:[a-z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)+)\})? (\S+)$/;
const NOT_BASE_UNITS = /_(milliseconds|ms|minutes|hours|days|kilobytes|megabytes|percent)(_|$)/;

export function readExposition(text: string): Exposition {
  const series: Series[] = [];
  const types = new Map<string, string>();
  const helps = new Set<string>();
  const faults: string[] = [];
  const closed = new Set<string>();
  let family = "";
  if (!text.endsWith("\n")) faults.push("the last line has no end");
  for (const line of text.trimEnd().split("\n")) {
    const [, kind = "", name = "", rest = ""] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line) ?? [];
    if (kind !== "") {
      if (closed.has(name)) faults.push(`${name} is told of in two places`);
      if (family !== name && family !== "") closed.add(family);
      family = name;
      if (kind === "HELP") helps.add(name);
      else types.set(name, rest);
      continue;
    }
    const [, found, labels = "", value = ""] = LINE.exec(line) ?? [];
    if (found === undefined) faults.push(`cannot be read: ${line}`);
    else
      series.push({
        name: found,
        labels,
        value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value),
      });
    if (found !== undefined && found.replace(/_(bucket|sum|count)$/, "") !== family && found !== family)
      faults.push(`${found} stands under ${family}`);
  }
  const keys = series.map(({ name, labels }) => `${name}{${labels}}`);
  for (const key of new Set(keys))
    if (keys.filter((one) => one === key).length > 1) faults.push(`twice: ${key}`);
  for (const [name, type] of types) {
    if (!helps.has(name)) faults.push(`${name} has no help`);
    if ((type === "counter") !== name.endsWith("_total")) faults.push(`${name} is a ${type}`);
    if (NOT_BASE_UNITS.test(name)) faults.push(`${name} is in no base unit`);
    if (type === "histogram") faults.push(...histogramFaults(name, series));
  }
  const value: Exposition["value"] = (name, labels = "") =>
    series.find((one) => one.name === name && one.labels === labels)?.value;
  return { series, types, faults, value };
}

/** Buckets rise, the last one has no bound and holds all, and their count and sum stand beside them. */
function histogramFaults(name: string, series: readonly Series[]): string[] {
  const groups = Map.groupBy(
    series.filter((one) => one.name === `${name}_bucket`),
    ({ labels }) => labels.replace(/,?le="[^"]*"$/, ""),
  );
  return [...groups].flatMap(([labels, buckets]) => {
    const of = (part: string) =>
      series.find((one) => one.name === name + part && one.labels === labels)?.value;
    const isRising = buckets.every(({ value }, place) => value >= (buckets[place - 1]?.value ?? 0));
    const last = buckets.at(-1);
    const isWhole =
      last?.labels.endsWith('le="+Inf"') && last.value === of("_count") && of("_sum") !== undefined;
    return isRising && isWhole ? [] : [`the buckets of ${name}{${labels}} do not fit`];
  });
}
