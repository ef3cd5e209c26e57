import { expect, test } from "vitest";
import { METRICS, type Metric } from "../../../src/ops/metrics/catalogue.ts";
import dashboard from "../../../src/ops/metrics/grafana-dashboard.json" with { type: "json" };
import alertRules from "../../../src/ops/metrics/prometheus-rules.yml" with { type: "text" };

type Rule = { alert: string; expr: string; for: string; labels: object; annotations: Record<string, string> };
type Panel = {
  title: string;
  gridPos: Record<"x" | "y" | "w" | "h", number>;
  targets: { expr: string; legendFormat: string }[];
};

const rulesOf = () =>
  (Bun.YAML.parse(alertRules) as { groups: { name: string; rules: Rule[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  );
const panelsOf = () => dashboard.panels as Panel[];

const ALL: readonly Metric[] = Object.values(METRICS);
/** The metric that a name in an expression is of: of a histogram its parts alone are there. */
const metricOf = (name: string) =>
  ALL.find((one) =>
    one.kind === "histogram"
      ? ["_bucket", "_sum", "_count"].some((part) => one.name + part === name)
      : one.name === name,
  );
/** Names that are not there, and labels that they do not have. */
function unknownIn(expr: string): string[] {
  const names = [...expr.matchAll(/\bbendre_\w+/g)].map(([name]) => name);
  const faults = names.filter((name) => !metricOf(name));
  const labels = new Set(names.flatMap((name) => metricOf(name)?.labels ?? []));
  const used = [
    ...[...expr.matchAll(/(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", ")),
    ...[...expr.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = ""]) => label),
  ].filter((label) => label !== "le" && label !== "");
  return [...faults, ...used.filter((label) => !labels.has(label))];
}

test("rules and dashboard use metrics and labels that there are, and no others", () => {
  const exprs = [
    ...rulesOf().map(({ expr }) => expr),
    ...panelsOf().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(exprs.length).toBeGreaterThan(35);
  expect(exprs.flatMap(unknownIn)).toEqual([]);
  expect(unknownIn('sum by (opertor) (rate(bendre_message_total{clas="OTP"}[5m]))')).toEqual([
    "bendre_message_total",
    "opertor",
    "clas",
  ]);
});

test("every metric is on the dashboard", () => {
  const shown = JSON.stringify(dashboard);
  expect(ALL.map(({ name }) => name).filter((name) => !shown.includes(name))).toEqual([]);
});

test("every rule says what it means and what to do, in a text of which every label is its expression's", () => {
  const rules = rulesOf();
  expect(rules.length).toBeGreaterThan(12);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { expr, annotations, for: lasts } of rules) {
    expect(lasts).toMatch(/^\d+[sm]$/);
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.description).toMatch(/[.?]$/);
    const named = [...`${annotations.summary}`.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label);
    const labels = ALL.filter(({ name }) => expr.includes(name)).flatMap((metric) => metric.labels);
    expect(labels).toEqual(expect.arrayContaining(named));
  }
});

test("the panels of the dashboard lie beside each other, and none on another", () => {
  const taken = new Set<string>();
  for (const { gridPos, title } of panelsOf()) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect([title, taken.has(`${x} ${y}`)]).toEqual([title, false]);
        taken.add(`${x} ${y}`);
      }
  }
});
