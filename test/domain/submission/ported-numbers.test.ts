/** Whose a number is: the table of ported numbers before the configured prefixes, by real rows of SQLite. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, type Store } from "../../../src/db/store.ts";
import { NOBODY, normaliseNumber } from "../../../src/domain/submission/phone-numbers.ts";
import {
  beginPortedImport,
  erasePorted,
  FIRST_SWEPT,
  type ImportedRow,
  isPortedSweepDue,
  type NumberOrPrefix,
  NumberOwners,
  openPortedImport,
  portedAbout,
  readPortedPage,
  removePorted,
  renamePortedOwner,
  type SweepPlace,
  setOverride,
  stagePorted,
  sweepPorted,
} from "../../../src/domain/submission/ported-numbers.ts";
import { openNewStore } from "../../kit/new-store.ts";
import { testClock } from "../../kit/test-clock.ts";

const OPERATORS = { orange: { prefixes: ["22670"] }, moov: { prefixes: ["22660"] } };

let directory: string;
let store: Store;
let owners: NumberOwners;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-ported-"));
  open(openNewStore(directory, testClock()));
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

function open(opened: Store): void {
  store = opened;
  owners = new NumberOwners(() => OPERATORS, store.read);
}

/** "22670123456", or "226701*". */
function about(written: string): NumberOrPrefix {
  const isPrefix = written.endsWith("*");
  return { digits: isPrefix ? written.slice(0, -1) : written, isPrefix };
}

type Said = Readonly<Record<string, string | null>>;

const rowsOf = (said: Said): ImportedRow[] =>
  Object.entries(said).map(([written, operator]) => ({ ...about(written), operator }));

const staged = (said: Said, source: string | null = null) =>
  store.write((tx) => {
    const id = beginPortedImport(tx, source);
    return { id, ...stagePorted(tx, id, rowsOf(said)) };
  });

async function imported(said: Said, { replaces = false, atMs = 1, source = "a file" } = {}): Promise<void> {
  const { id, numbers, prefixes } = await staged(said, source);
  await store.write((tx) => openPortedImport(tx, id, { numbers, prefixes, replaces }, atMs));
}

async function swept(): Promise<void> {
  let place: SweepPlace | null = FIRST_SWEPT;
  while (place !== null) {
    const from: SweepPlace = place;
    place = await store.write((tx) => sweepPorted(tx, from));
  }
}

const byHand = (written: string, operator: string | null) =>
  store.write((tx) => setOverride(tx, about(written), operator, 5));
const ownerOf = (digits: string) => owners.now()(digits, true);
const rowCount = () => store.read.get<{ rows: number }>("SELECT count(*) AS rows FROM ported_numbers")?.rows;

describe("the owner of a number", () => {
  test("is asked of the table before the configured prefixes", async () => {
    expect(ownerOf("22670000001")).toBe("orange");
    await imported({ "22670000001": "moov" });
    expect(ownerOf("22670000001")).toBe("moov");
    expect(ownerOf("22670000002")).toBe("orange");
  });

  test("is told by the number before any prefix, and by the longest prefix of the table", async () => {
    await imported({ "226*": "moov", "2267012*": "orange", "226701*": "moov", "22670120001": "moov" });
    expect(ownerOf("22670120001")).toBe("moov");
    expect(ownerOf("22670120002")).toBe("orange");
    expect(ownerOf("22670130000")).toBe("moov");
    // Shorter than the configured 22670, and still before it.
    expect(ownerOf("22670999999")).toBe("moov");
  });

  test("is nobody where the row says none, or an operator that is not configured", async () => {
    await imported({ "22670000001": null, "22670000002": "telecel", "2266*": null });
    expect(ownerOf("22670000001")).toBe(NOBODY);
    expect(ownerOf("22670000002")).toBe(NOBODY);
    expect(ownerOf("22660000000")).toBe(NOBODY);
    expect(owners.operatorOf("22670000002")).toBe(null);
    expect(normaliseNumber("70000001", "BF", owners.now())).toEqual({
      kind: "unroutable",
      msisdn: "+22670000001",
    });
  });

  test("is by hand before any import, also one that came later, and by the newest import before the others", async () => {
    await imported({ "22670000001": "moov", "22670000002": "moov" });
    await byHand("22670000001", null);
    await imported({ "22670000001": "orange", "22670000002": "orange", "22670000003": "moov" });
    expect(ownerOf("22670000001")).toBe(NOBODY);
    expect(ownerOf("22670000002")).toBe("orange");
    expect(ownerOf("22670000003")).toBe("moov");
  });

  test("is not told by a row of what is no number: the library and the configured prefixes say what is one", async () => {
    const no = "22699999999";
    expect(normaliseNumber(no, "BF", owners.now()).kind).toBe("invalid");
    await imported({ "22699999999": "moov", "22699*": "moov" });
    expect(normaliseNumber(no, "BF", owners.now()).kind).toBe("invalid");
  });

  test("of a number that only a configured prefix makes one is rejected as unroutable, and stays a number", async () => {
    const configured = new NumberOwners(() => ({ orange: { prefixes: ["22699"] } }), store.read);
    expect(normaliseNumber("22699999999", "BF", configured.now()).kind).toBe("routable");
    await imported({ "22699999999": null });
    expect(normaliseNumber("22699999999", "BF", configured.now())).toEqual({
      kind: "unroutable",
      msisdn: "+22699999999",
    });
  });

  test("follows an operator that was given another code", async () => {
    await imported({ "22660000001": "old", "22660000002": "orange" });
    expect(ownerOf("22660000001")).toBe(NOBODY);
    await store.write((tx) => renamePortedOwner(tx, "old", "orange"));
    expect(ownerOf("22660000001")).toBe("orange");
    expect(ownerOf("22660000002")).toBe("orange");
  });

  test("is described with what says so, since when and from where", async () => {
    await imported({ "2267012*": "moov", "22670120001": null }, { atMs: 7, source: "ARCEP" });
    await byHand("22670120002", "moov");
    const common = { operator: "moov", isByHand: false, sinceMs: 7, source: "ARCEP" };
    expect(owners.describe("22670120009")).toEqual({ ...common, digits: "2267012", isPrefix: true });
    expect(owners.describe("22670120001")).toMatchObject({ operator: null, isPrefix: false, sinceMs: 7 });
    expect(owners.describe("22670120002")).toMatchObject({ isByHand: true, sinceMs: 5, source: null });
    expect(owners.describe("22670000000")).toBe(null);
  });
});

describe("an import", () => {
  test("that is staged counts for nothing until it is opened, and then at once", async () => {
    const { id } = await staged({ "22670000001": "moov", "226702*": "moov" });
    expect([ownerOf("22670000001"), ownerOf("22670200000")]).toEqual(["orange", "orange"]);
    await store.write((tx) => openPortedImport(tx, id, { numbers: 1, prefixes: 1, replaces: false }, 1));
    expect([ownerOf("22670000001"), ownerOf("22670200000")]).toEqual(["moov", "moov"]);
  });

  test("that was cut off counts for nothing after the next start, and is swept", async () => {
    await imported({ "22670000001": "moov" });
    await staged({ "22670000001": "orange", "22670000002": "moov" });
    await store.close();
    open(openStore(directory, testClock()));
    expect([ownerOf("22670000001"), ownerOf("22670000002")]).toEqual(["moov", "orange"]);
    expect(isPortedSweepDue(store.read)).toBe(true);
    await swept();
    expect(rowCount()).toBe(1);
    expect(isPortedSweepDue(store.read)).toBe(false);
    expect([ownerOf("22670000001"), ownerOf("22670000002")]).toEqual(["moov", "orange"]);
  });

  test("replaces all imports before it and nothing that was set by hand, before and after the sweep", async () => {
    await imported({ "22670000001": "moov", "22670000002": "moov", "226703*": "moov" });
    await byHand("22670000002", "moov");
    await imported({ "22670000004": "moov" }, { replaces: true });
    const all = () => ["22670000001", "22670000002", "22670300000", "22670000004"].map(ownerOf);
    expect(all()).toEqual(["orange", "moov", "orange", "moov"]);
    await swept();
    expect(all()).toEqual(["orange", "moov", "orange", "moov"]);
    expect(rowCount()).toBe(2);
  });

  test("says the same twice without harm, and of two operators for one number keeps the first and tells", async () => {
    const { id } = await store.write((tx) => ({ id: beginPortedImport(tx, null) }));
    const row = (operator: string | null) => ({ digits: "22670000001", isPrefix: false, operator });
    const rows = [row("moov"), row("moov"), row("orange"), { ...row("orange"), isPrefix: true }];
    expect(await store.write((tx) => stagePorted(tx, id, rows))).toEqual({
      numbers: 1,
      prefixes: 1,
      contradictions: [2],
    });
  });

  test("leaves one row a number once it was swept, over many steps of it", async () => {
    const said = (operator: string) =>
      Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [String(22670000000 + index), operator]));
    await imported(said("moov"));
    await imported(said("orange"));
    await imported(said("moov"));
    expect(rowCount()).toBe(3600);
    await swept();
    expect(rowCount()).toBe(1200);
    expect(ownerOf("22670000700")).toBe("moov");
  });
});

describe("what is taken away", () => {
  test("is what was set by hand, and at the second time what imports say", async () => {
    await imported({ "22670000001": "moov" });
    await byHand("22670000001", null);
    const remove = () => store.write((tx) => removePorted(tx, about("22670000001")));
    expect(await remove()).toBe("override");
    expect(ownerOf("22670000001")).toBe("moov");
    expect(await remove()).toBe("import");
    expect(ownerOf("22670000001")).toBe("orange");
    expect(await remove()).toBe(null);
  });

  test("about one person is every row of the number, and no prefix", async () => {
    await imported({ "22670000001": "moov", "226700*": "moov" });
    await byHand("22670000001", null);
    expect(portedAbout(store.read, "+22670000001").map(({ isByHand }) => isByHand)).toEqual([true, false]);
    expect(await store.write((tx) => erasePorted(tx, "+22670000001"))).toBe(2);
    expect(portedAbout(store.read, "+22670000001")).toEqual([]);
    expect(ownerOf("22670000001")).toBe("moov");
  });
});

describe("a page of the table", () => {
  test("has the rows that count, each once, whatever stands behind them", async () => {
    await imported({ "22670000001": "moov", "22670000002": "moov", "226700*": "moov" });
    await imported({ "22670000001": null, "22670000003": "orange" });
    await byHand("22670000002", "orange");
    await staged({ "22670000009": "moov" });
    const found: [string, string | null, boolean][] = [];
    let after: NumberOrPrefix | null = null;
    do {
      const page: ReturnType<typeof readPortedPage> = readPortedPage(store.read, after, 3);
      for (const { digits, isPrefix, operator, isByHand } of page.rows)
        found.push([isPrefix ? `${digits}*` : digits, operator, isByHand]);
      after = page.next;
    } while (after !== null);
    expect(found).toEqual([
      ["226700*", "moov", false],
      ["22670000001", null, false],
      ["22670000002", "orange", true],
      ["22670000003", "orange", false],
    ]);
  });
});

describe("a look-up", () => {
  test("asks the database nothing while no number stands in the table", async () => {
    const asked: string[] = [];
    const counting = new NumberOwners(() => OPERATORS, {
      ...store.read,
      all: (sql, ...params) => {
        asked.push(sql);
        return store.read.all(sql, ...params);
      },
      get: (sql, ...params) => {
        asked.push(sql);
        return store.read.get(sql, ...params);
      },
    });
    const asks = (): number => {
      asked.length = 0;
      for (let number = 22670000001; number <= 22670000010; number += 1) counting.now()(String(number), true);
      return asked.length;
    };
    expect(asks()).toBe(0);
    await imported({ "226701*": "moov" });
    asks();
    expect(asks()).toBe(0);
    await imported({ "22670000001": "moov" });
    asks();
    expect(asks()).toBe(10);
    const numbers = Array.from({ length: 10 }, (_, index) => String(22670000001 + index));
    asked.length = 0;
    counting.lookUp(numbers);
    expect(asked.length).toBe(1);
    expect(asks()).toBe(0);
  });

  test("of numbers together tells the same as one by one, and forgets it with every change", async () => {
    const numbers = ["22670000001", "22670000002", "22670000003", "22660000001"];
    const together = () => {
      owners.lookUp(numbers);
      return numbers.map(ownerOf);
    };
    const oneByOne = () => {
      const others = new NumberOwners(() => OPERATORS, store.read);
      return numbers.map((digits) => others.now()(digits, true));
    };
    await imported({ "22670000001": "moov", "22670000002": null });
    await imported({ "22670000001": null, "22660000001": "orange" });
    await byHand("22670000001", "moov");
    await staged({ "22670000003": "moov" });
    expect(together()).toEqual(["moov", NOBODY, "orange", "orange"]);
    expect(together()).toEqual(oneByOne());
    await byHand("22670000002", "moov");
    expect(numbers.map(ownerOf)).toEqual(oneByOne());
    owners.lookUp(numbers);
    await imported({ "22670000003": "moov" }, { replaces: true });
    expect(numbers.map(ownerOf)).toEqual(["moov", "moov", "moov", "moov"]);
    await swept();
    expect(numbers.map(ownerOf)).toEqual(oneByOne());
  });
});
