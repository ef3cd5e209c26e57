/** Files of ported numbers as people have them, by the command line. */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { said, workbookOf } from "../domain/imports/workbook-of.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
beforeEach(() => {
  fixture = cliFixture();
});
afterEach(() => fixture.close());

/** A file of this name; its path. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(dirname(fixture.data), name);
  writeFileSync(path, content);
  return path;
}

const imported = (path: string, ...flags: string[]) => fixture.json("route", "import", path, ...flags);
const routedTo = async (number: string) => (await fixture.json("route", "show", number)).data?.routed_to;

test("a file needs no headings, whichever of semicolon and comma separates its cells", async () => {
  for (const separator of [";", ","]) {
    const rows = ["22670123456", "70 12 34 57", "226703*"].map((number) => `${number}${separator}orange\n`);
    const { data } = await imported(file("ported.csv", rows.join("")), "--replace");
    expect(data).toMatchObject({ numbers: 2, prefixes: 1, replaced: true });
    expect(await routedTo("70123457")).toBe("orange");
    expect(await routedTo("70399999")).toBe("orange");
    expect(await routedTo("70123458")).toBe(null);
  }
});

test("a file of prefixes alone needs none either", async () => {
  expect((await imported(file("prefixes.csv", "2267*;orange\n22601*;none\n"))).data).toMatchObject({
    prefixes: 2,
  });
  expect(await routedTo("70123456")).toBe("orange");
});

test("headings name the columns, in English and in French, below titles and beside others", async () => {
  const english = "Ported numbers, March\n\ndate,operator,msisdn\n2026-03-01,orange,22670123456\n";
  expect((await imported(file("en.csv", english))).data).toMatchObject({ numbers: 1 });
  const french = "Numéro;Opérateur\n22670123457;orange\n'+22670123458;none\n";
  expect((await imported(file("fr.csv", french))).data).toMatchObject({ numbers: 2 });
  expect(await routedTo("70123456")).toBe("orange");
  expect(await routedTo("70123457")).toBe("orange");
});

test("a workbook does as well", async () => {
  const book = workbookOf([said("tel") + said("operator"), `<c><v>22670123456</v></c>${said("orange")}`]);
  expect((await imported(file("ported.xlsx", book))).data).toMatchObject({ numbers: 1 });
});

test("bad rows are refused with their lines, and skipped where that is asked for", async () => {
  const path = file("bad.csv", "msisdn;operator\n22670123456;orange\nabc;orange\n22670123457;telecel\n");
  const { error } = await imported(path);
  expect(error?.code).toBe("INVALID_FILE");
  expect(await routedTo("70123456")).toBe(null);
  const { data } = await imported(path, "--skip-bad-rows", "--source", "ARCEP, March");
  expect(data).toMatchObject({ numbers: 1, skipped: 2, source: "ARCEP, March" });
  expect(data?.skipped_rows).toMatchObject([{ line: 3 }, { line: 4 }]);
  expect((await fixture.json("route", "show", "70123456")).data).toMatchObject({ source: "ARCEP, March" });
});

test("headings without a column of operators are refused, and so is a file without a number", async () => {
  const noOperators = file("no.csv", "msisdn;date\n22670123456;2026-03-01\n");
  expect((await imported(noOperators)).error?.code).toBe("INVALID_FILE");
  expect((await imported(file("empty.csv", ""))).error?.code).toBe("INVALID_FILE");
  expect((await imported(file("none.csv", "msisdn;operator\n"))).error?.code).toBe("INVALID_FILE");
});

test("what is exported is imported again as it was", async () => {
  await imported(file("ported.csv", "22670123456;orange\n226703*;none\n"), "--source", "=A1");
  await fixture.json("route", "override", "70123457", "none");
  const { out } = await fixture.run("route", "export", "--csv");
  expect(out.split("\r\n").map((line) => line.split(",").slice(0, 3).join(","))).toEqual([
    "msisdn,operator,by",
    "22670123456,orange,import",
    "22670123457,none,override",
    "226703*,none,import",
    "",
  ]);
  expect((await imported(file("again.csv", out), "--replace")).data).toMatchObject({
    numbers: 2,
    prefixes: 1,
  });
});

test("each change is recorded with who made it", async () => {
  await imported(file("ported.csv", "22670123456;orange\n"), "--source", "ARCEP");
  await fixture.json("route", "override", "70123457", "none");
  await fixture.json("route", "remove", "70123457");
  const { data } = await fixture.json("audit", "list", "--action", "route");
  expect(data?.entries).toMatchObject([
    { actor: "awa", action: "route remove", subject: "+22670123457", detail: { removed: "override" } },
    { actor: "awa", action: "route override", subject: "+22670123457", detail: { operator: "none" } },
    { actor: "awa", action: "route import", detail: { numbers: 1, source: "ARCEP" } },
  ]);
});
