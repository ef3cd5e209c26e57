/** The text that Prometheus reads (prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4). */
import type { Metric } from "./catalogue.ts";

/** One number, with a value for each label of its metric, in order. */
export type MetricSample = { readonly labels: readonly string[]; readonly value: number };

/** One histogram: how many values each bound was the first to hold, those above all of them last. */
export type HistogramSample = {
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  readonly counts: Readonly<Float64Array>;
  readonly sum: number;
};

/** A metric with all that is known of it at this moment. */
export type Family =
  | { readonly metric: Metric; readonly samples: readonly MetricSample[] }
  | { readonly metric: Metric; readonly histograms: readonly HistogramSample[] };

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** All families that have something to tell, each under its help and type. */
export function exposition(families: readonly Family[]): string {
  return families
    .map((family) => ({ metric: family.metric, lines: linesOf(family) }))
    .filter(({ lines }) => lines.length > 0)
    .map(
      ({ metric: { name, help, kind }, lines }) =>
        `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${kind}\n${lines.join("\n")}\n`,
    )
    .join("");
}

function linesOf(family: Family): string[] {
  const { name, labels: names } = family.metric;
  if ("samples" in family)
    return family.samples.map(({ labels, value }) => lineOf(name, names, labels, value));
  return family.histograms.flatMap(({ labels, bounds, counts, sum }) => {
    let below = 0;
    const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, place) => {
      below += counts[place] ?? 0;
      return lineOf(`${name}_bucket`, [...names, "le"], [...labels, numberText(bound)], below);
    });
    return [
      ...buckets,
      lineOf(`${name}_sum`, names, labels, sum),
      lineOf(`${name}_count`, names, labels, below),
    ];
  });
}

function lineOf(name: string, names: readonly string[], labels: readonly string[], value: number): string {
  const pairs = names.map((label, place) => `${label}="${escapedLabel(labels[place] ?? "")}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numberText(value)}`;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

function escapedLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function escapedHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
