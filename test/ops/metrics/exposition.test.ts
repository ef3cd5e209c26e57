import { expect, test } from "vitest";
import { createMetricsRegistry } from "../../../src/core/metrics-registry.ts";
import type { Metric } from "../../../src/ops/metrics/catalogue.ts";
import { exposition } from "../../../src/ops/metrics/metrics.ts";
import { readExposition } from "../../kit/prometheus.ts";

const metric = (kind: Metric["kind"], name: string, ...labels: readonly string[]): Metric => ({
  name,
  kind,
  help: "One\nof \\ them.",
  labels,
  bounds: [],
});

test("a metric of which nothing is known is not told at all, and one that is 0 is", () => {
  const none = exposition([
    { metric: metric("gauge", "bendre_a_bytes"), samples: [] },
    { metric: metric("histogram", "bendre_b_seconds"), histograms: [] },
  ]);
  expect(none).toBe("");
  const zero = exposition([
    { metric: metric("gauge", "bendre_a_bytes"), samples: [{ labels: [], value: 0 }] },
  ]);
  expect(zero).toBe(
    "# HELP bendre_a_bytes One\\nof \\\\ them.\n# TYPE bendre_a_bytes gauge\nbendre_a_bytes 0\n",
  );
});

test("values of labels are escaped, so that none can begin a line of its own", () => {
  const labels = ['a"b\\c\nbendre_up 1'];
  const text = exposition([
    { metric: metric("counter", "bendre_x_total", "what"), samples: [{ labels, value: 3 }] },
  ]);
  expect(text.split("\n")[2]).toBe('bendre_x_total{what="a\\"b\\\\c\\nbendre_up 1"} 3');
  expect(readExposition(text).faults).toEqual([]);
});

test("a histogram tells how many were no larger than each bound, all of them, and their sum", () => {
  const { of } = createMetricsRegistry().histograms("bendre_h_seconds", [0.5, 1, 2]);
  for (const value of [0.5, 0.6, 1, 1.5, 9]) of("orange").observe(value);
  const { counts, sum } = of("orange");
  const histogram = { labels: ["orange"], bounds: [0.5, 1, 2], counts, sum: sum() };
  const told = readExposition(
    exposition([{ metric: metric("histogram", "bendre_h_seconds", "operator"), histograms: [histogram] }]),
  );
  expect(told.faults).toEqual([]);
  expect(told.series.map(({ value }) => value)).toEqual([1, 3, 4, 5, 12.6, 5]);
});

test("what reads the text finds what is wrong with it", () => {
  const head = (name: string, type: string) => `# HELP ${name} Help.\n# TYPE ${name} ${type}\n`;
  const faultOf = (text: string) => readExposition(text).faults[0];
  expect(faultOf(`${head("a_total", "gauge")}a_total 1\n`)).toBe("a_total is a gauge");
  expect(faultOf(`${head("a", "counter")}a 1\n`)).toBe("a is a counter");
  expect(faultOf(`${head("a_ms", "gauge")}a_ms 1\n`)).toBe("a_ms is in no base unit");
  expect(faultOf(`${head("a", "gauge")}a{b="1"} 1\na{b="1"} 2\n`)).toBe('twice: a{b="1"}');
  expect(faultOf("# TYPE a gauge\na 1\n")).toBe("a has no help");
  expect(faultOf(`${head("a", "gauge")}b 1\n`)).toBe("b stands under a");
  expect(faultOf(`${head("a", "gauge")}a{b=1} 1\n`)).toBe("cannot be read: a{b=1} 1");
  expect(
    faultOf(`${head("h", "histogram")}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`),
  ).toBe("the buckets of h{} do not fit");
});
