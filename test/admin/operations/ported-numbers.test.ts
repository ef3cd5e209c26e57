/** Ported numbers, set by hand and looked up, and what depends on the configuration and on its changes. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { findCodeWarnings, OPERATOR_CODE_OPERATIONS } from "../../../src/admin/operations/operator-codes.ts";
import {
  importPortedNumbers,
  PORTED_OPERATIONS,
  type PortedFileRow,
  sweepPortedNumbers,
} from "../../../src/admin/operations/ported-numbers.ts";
import { isPortedSweepDue } from "../../../src/domain/submission/ported-numbers.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

/** Rows of a file, the first in line 1. */
const rowsOf = (...rows: readonly (readonly [number: string, operator: string])[]): PortedFileRow[] =>
  rows.map(([number, operator], index) => ({ line: index + 1, number, operator, fault: null }));

type Asked = {
  readonly replaces?: boolean;
  readonly source?: string | null;
  readonly skipsBadRows?: boolean;
};

const importRows = (rows: readonly PortedFileRow[], asked: Asked = {}, context = fixture.context) =>
  importPortedNumbers(context, {
    rows: () => rows,
    replaces: false,
    source: null,
    skipsBadRows: false,
    ...asked,
  });

const override = (number: string, operator: string) =>
  run(PORTED_OPERATIONS["route override"], fixture.context, { number, operator });
const remove = (number: string) => run(PORTED_OPERATIONS["route remove"], fixture.context, { number });
const show = async (number: string) =>
  granted(await run(PORTED_OPERATIONS["route show"], fixture.context, { number }));
const exported = async (given: { after?: string; limit?: number } = {}) =>
  granted(await run(PORTED_OPERATIONS["route export"], fixture.context, given));
const rowCount = () =>
  fixture.context.store.read.get<{ rows: number }>("SELECT count(*) AS rows FROM ported_numbers")?.rows;
const withOperators = (...codes: string[]): AdminContext => {
  const { config } = fixture.context;
  const { orange } = config.operators;
  if (orange === undefined) throw new Error("the fixture has orange");
  return {
    ...fixture.context,
    config: { ...config, operators: Object.fromEntries(codes.map((code) => [code, orange])) },
  };
};

describe("route show", () => {
  test("tells by what a number is routed: a configured prefix, an import, by hand, or nothing", async () => {
    const nothing = { prefix: null, since: null, source: null };
    expect(await show("05 12 34 56")).toEqual({
      msisdn: "+22605123456",
      routed_to: "orange",
      operator: "orange",
      by: "prefix",
      ...nothing,
    });
    expect(await show("70123456")).toMatchObject({ routed_to: null, operator: null, by: null, ...nothing });
    granted(await importRows(rowsOf(["05123456", "moov"], ["2260512*", "moov"]), { source: "ARCEP" }));
    const since = new Date(fixture.clock.nowMs()).toISOString();
    const ofImport = { by: "import", source: "ARCEP", since };
    expect(await show("05123456")).toMatchObject({
      routed_to: "moov",
      operator: "moov",
      prefix: null,
      ...ofImport,
    });
    expect(await show("05129999")).toMatchObject({ routed_to: "moov", prefix: "2260512*", ...ofImport });
    granted(await override("05123456", "none"));
    expect(await show("05123456")).toMatchObject({
      routed_to: null,
      operator: null,
      by: "override",
      source: null,
    });
  });

  test("refuses what is no number", async () => {
    expect(codeOf(await run(PORTED_OPERATIONS["route show"], fixture.context, { number: "12" }))).toBe(
      "INVALID_MSISDN",
    );
  });
});

describe("route override and route remove", () => {
  test("are recorded, and take the number back to what imports and prefixes say", async () => {
    granted(await importRows(rowsOf(["05123456", "moov"])));
    expect(granted(await override("05123456", "orange"))).toMatchObject({
      number: "+22605123456",
      operator: "orange",
    });
    expect((await show("05123456")).by).toBe("override");
    expect(granted(await remove("+226 05 12 34 56"))).toEqual({
      number: "+22605123456",
      removed: "override",
    });
    expect(await show("05123456")).toMatchObject({ routed_to: "moov", by: "import" });
    expect(granted(await remove("05123456")).removed).toBe("import");
    expect(await show("05123456")).toMatchObject({ routed_to: "orange", by: "prefix" });
    expect(granted(await remove("05123456")).removed).toBe(null);
    expect(fixture.audited()).toEqual([
      "awa: route import",
      "awa: route override",
      "awa: route remove",
      "awa: route remove",
    ]);
  });

  test("take prefixes with the code of their country, and refuse others, unknown operators and what is no number", async () => {
    expect(granted(await override("+226 05 1*", "moov"))).toMatchObject({
      number: "226051*",
      operator: "moov",
    });
    expect((await show("05123456")).routed_to).toBe("moov");
    expect(granted(await remove("226051*")).removed).toBe("override");
    expect(codeOf(await override("051*", "moov"))).toBe("INVALID_PREFIX");
    expect(codeOf(await override("*", "moov"))).toBe("INVALID_PREFIX");
    expect(codeOf(await override("05123456", "orage"))).toBe("OPERATOR_UNKNOWN");
    expect(codeOf(await override("0512", "moov"))).toBe("INVALID_MSISDN");
    expect(fixture.audited()).toEqual(["awa: route override", "awa: route remove"]);
  });
});

describe("route import", () => {
  test("says what it brought, and what was left alone; a code may be in capitals", async () => {
    granted(await override("05999999", "none"));
    const rows = rowsOf(
      ["05123456", "MOOV"],
      ["+226 05 12 34 57", "none"],
      ["226055*", "moov"],
      ["05123456", "moov"],
    );
    expect(granted(await importRows(rows, { replaces: true, source: "ARCEP" }))).toEqual({
      numbers: 2,
      prefixes: 1,
      source: "ARCEP",
      replaced: true,
      overrides: 1,
      skipped: 0,
      skipped_rows: [],
    });
    expect((await show("05123457")).routed_to).toBe(null);
    expect((await show("05999999")).by).toBe("override");
  });

  const faulty = rowsOf(
    ["05123456", "moov"],
    ["051", "moov"],
    ["05123457", "telecel"],
    ["05123456", "orange"],
    ["05*", "moov"],
    ["", "moov"],
  );
  const causes = (lines: unknown) =>
    (lines as { params: { line: number; why: { code: string } } }[]).map(({ params }) => [
      params.line,
      params.why.code,
    ]);

  test("names every bad row with its line, and changes nothing", async () => {
    granted(await importRows(rowsOf(["05123456", "moov"])));
    const outcome = await importRows(faulty);
    expect(codeOf(outcome)).toBe("INVALID_FILE");
    if (outcome.ok) return;
    const { params } = outcome.refusal.detail as unknown as {
      params?: { faulty: number; lines: unknown };
    };
    expect(params?.faulty).toBe(4);
    expect(causes(params?.lines)).toEqual([
      [2, "row.digits"],
      [3, "fault.ported.operator"],
      [5, "fault.ported.prefix"],
      [6, "row.cause.NO_NUMBER"],
    ]);
    expect(rowCount()).toBe(1);
    expect(fixture.audited()).toEqual(["awa: route import"]);
  });

  test("names a row that contradicts an earlier one, and changes nothing", async () => {
    const outcome = await importRows(
      rowsOf(["05123456", "moov"], ["05123457", "moov"], ["05123456", "none"]),
    );
    if (outcome.ok) throw new Error("it was imported");
    const { params } = outcome.refusal.detail as unknown as { params?: { lines: unknown } };
    expect(causes(params?.lines)).toEqual([[3, "fault.ported.contradiction"]]);
    expect(rowCount()).toBe(0);
    expect((await show("05123457")).by).toBe("prefix");
    expect(fixture.audited()).toEqual([]);
  });

  test("skips bad rows where that is asked for, and tells them", async () => {
    const value = granted(await importRows(faulty, { skipsBadRows: true }));
    expect(value).toMatchObject({ numbers: 1, prefixes: 0, skipped: 5 });
    expect(value.skipped_rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    expect((await show("05123456")).routed_to).toBe("moov");
  });

  test("of nothing is refused, and so are more prefixes than memory has room for", async () => {
    expect(codeOf(await importRows([]))).toBe("INVALID_FILE");
    const prefixes = (count: number, from = 0) =>
      rowsOf(
        ...Array.from({ length: count }, (_, index): [string, string] => [
          `22605${1e5 + from + index}*`,
          "moov",
        ]),
      );
    granted(await importRows(prefixes(10_000)));
    expect(codeOf(await importRows(prefixes(1, 10_000)))).toBe("TOO_MANY_PREFIXES");
    expect(codeOf(await override("226059*", "moov"))).toBe("TOO_MANY_PREFIXES");
    expect(rowCount()).toBe(10_000);
    granted(await importRows(prefixes(1, 10_000), { replaces: true }));
    expect(rowCount()).toBe(1);
  });

  test("means the operator of today by a former code", async () => {
    granted(await importRows(rowsOf(["05123456", "moov"])));
    const after = withOperators("orange", "moov-africa");
    granted(
      await run(OPERATOR_CODE_OPERATIONS["operator rename"], after, { from: "moov", to: "moov-africa" }),
    );
    const shown = async (number: string) =>
      granted(await run(PORTED_OPERATIONS["route show"], after, { number })).routed_to;
    expect(await shown("05123456")).toBe("moov-africa");
    granted(await importRows(rowsOf(["05123457", "moov"]), {}, after));
    expect(await shown("05123457")).toBe("moov-africa");
  });

  test("that is cut off in the middle changes nothing, and the next one clears what it staged", async () => {
    granted(await importRows(rowsOf(["05123456", "moov"])));
    const rows = Array.from({ length: 2000 }, (_, index): [string, string] => [
      String(5_200_000 + index).padStart(8, "0"),
      "moov",
    ]);
    let writes = 0;
    const { store } = fixture.context;
    const cut: AdminContext = {
      ...fixture.context,
      store: {
        ...store,
        write: (job, durable) => {
          writes += 1;
          return writes > 3 ? Promise.reject(new Error("cut off")) : store.write(job, durable);
        },
      },
    };
    const file = rowsOf(["05123456", "none"], ...rows);
    await expect(importRows(file, { replaces: true }, cut)).rejects.toThrow("cut off");
    expect(rowCount()).toBeGreaterThan(1);
    expect(await show("05123456")).toMatchObject({ routed_to: "moov" });
    expect(await show("05200000")).toMatchObject({ by: "prefix" });
    expect((await exported()).rows).toHaveLength(1);
    granted(await importRows(rowsOf(["05123458", "moov"])));
    expect(rowCount()).toBe(2);
  });

  test("is swept by the next start where it was cut off", async () => {
    const { store } = fixture.context;
    await store.write((tx) => {
      const id = tx.insert("INSERT INTO ported_imports (source, state) VALUES (NULL, 'STAGING')");
      tx.run(
        "INSERT INTO ported_numbers (digits, is_prefix, import_id, owner_id) VALUES ('22605123456', 0, ?, 1)",
        id,
      );
    });
    await sweepPortedNumbers(store, () => true);
    expect(rowCount()).toBe(1);
    await sweepPortedNumbers(store, () => false);
    expect(rowCount()).toBe(0);
    expect(isPortedSweepDue(store.read)).toBe(false);
  });

  test("waits for one that is under way, so that neither takes the other's rows for abandoned", async () => {
    const many = (operator: string, count: number) =>
      rowsOf(
        ...Array.from({ length: count }, (_, index): [string, string] => [
          String(5_200_000 + index).padStart(8, "0"),
          operator,
        ]),
      );
    const [first, second] = await Promise.all([
      importRows(many("moov", 1500)),
      importRows(many("orange", 700)),
    ]);
    expect([granted(first).numbers, granted(second).numbers]).toEqual([1500, 700]);
    expect((await show("05200600")).routed_to).toBe("orange");
    expect((await show("05201400")).routed_to).toBe("moov");
    expect(rowCount()).toBe(1500);
  });
});

describe("route export", () => {
  test("lists the rows that count page by page, as an import reads them", async () => {
    granted(
      await importRows(rowsOf(["05123456", "moov"], ["05123457", "moov"], ["226055*", "none"]), {
        source: "ARCEP",
      }),
    );
    granted(await override("05123457", "none"));
    const first = await exported({ limit: 2 });
    const second = await exported({ after: first.next ?? "", limit: 2 });
    const rows = [...first.rows, ...second.rows];
    expect(second.next).toBe(null);
    expect(rows.map(({ msisdn, operator, by, source }) => [msisdn, operator, by, source])).toEqual([
      ["22605123456", "moov", "import", "ARCEP"],
      ["22605123457", "none", "override", null],
      ["226055*", "none", "import", "ARCEP"],
    ]);
    const back = rows.map(({ msisdn, operator }): [string, string] => [msisdn, operator]);
    expect(granted(await importRows(rowsOf(...back), { replaces: true }))).toMatchObject({
      numbers: 2,
      prefixes: 1,
    });
  });
});

test("what a changed configuration does not take for a number any more is still listed, and taken away", async () => {
  const { config } = fixture.context;
  const { orange } = config.operators;
  if (orange === undefined) throw new Error("the fixture has orange");
  const before = { ...config, operators: { orange: { ...orange, prefixes: ["22699", "33"] } } };
  const rows = rowsOf(["+22699999998", "orange"], ["+22699999999", "orange"], ["331*", "orange"]);
  granted(await importRows(rows, {}, { ...fixture.context, config: before }));
  const first = await exported({ limit: 2 });
  expect(first.rows.map(({ msisdn }) => msisdn)).toEqual(["22699999998", "22699999999"]);
  expect((await exported({ after: first.next ?? "" })).rows.map(({ msisdn }) => msisdn)).toEqual(["331*"]);
  expect(granted(await remove("+22699999999")).removed).toBe("import");
  expect(granted(await remove("331*")).removed).toBe("import");
  expect(rowCount()).toBe(1);
});

describe("config check", () => {
  test("counts rows of operators that are not configured, by their codes, and not those of nobody", async () => {
    const { store, clock, config } = fixture.context;
    granted(
      await importRows(
        rowsOf(["05123456", "moov"], ["05123457", "moov"], ["05123458", "none"], ["05123459", "orange"]),
      ),
    );
    granted(await override("05123457", "orange"));
    expect(await findCodeWarnings(store.read, config, clock)).toEqual([]);
    const found = await findCodeWarnings(store.read, withOperators("orange").config, clock);
    expect(found.map(({ code, operator }) => [code, operator])).toEqual([["PORTED_UNROUTABLE", "moov"]]);
    expect(found[0]?.detail).toMatchObject({ params: { rows: 1, operator: "moov" } });
  });
});
