import { expect, test } from "vitest";
import {
  draftFaults,
  draftLines,
  isWhole,
  NOTHING_TYPED,
} from "../../src/console/ui/pages/connect/operator-form.ts";

const SHEET = {
  ...NOTHING_TYPED,
  code: "orange",
  name: "Orange",
  host: "10.1.2.3",
  systemId: "FASO01",
  price: "25",
  prefixes: "04 à 07",
};
const faults = (change: Partial<typeof SHEET>, setsPrices = true) =>
  Object.fromEntries(draftFaults({ ...SHEET, ...change }, setsPrices));

test("each line says what is wrong with it, and a sheet as operators give it is whole", () => {
  expect(isWhole(SHEET, true)).toBe(true);
  expect(faults({ throughput: "50 SMS par seconde" })).toEqual({});
  expect(Object.keys(Object.fromEntries(draftFaults(NOTHING_TYPED, true)))).toEqual([
    ...["name", "code", "host", "systemId", "prefixes", "price"],
  ]);
  expect(faults({ price: "" }, false)).toEqual({});
  expect(faults({ port: "0", throughput: "many", window: "1001", price: "12,5" })).toEqual({
    port: "PORT",
    throughput: "THROUGHPUT",
    window: "WINDOW",
    price: "PRICE",
  });
  expect(faults({ systemId: "identifiant-bien-trop-long" })).toEqual({ systemId: "SYSTEM_ID" });
  expect(faults({ prefixes: "100 à 199, 5" })).toEqual({ prefixes: "TOO_MANY_PREFIXES" });
});

test("an address with its port, a scheme or a space is none", () => {
  for (const host of ["10.1.2.3:2776", "smpp.orange.bf:", "http://smpp.orange.bf", "10.1.2.3 port 2776"])
    expect([host, faults({ host })]).toEqual([host, { host: "HOST" }]);
  for (const host of ["smpp.orange.bf", "2001:db8::1", " 10.1.2.3 "]) expect(faults({ host })).toEqual({});
});

test("a piece of the prefixes that is none keeps the sheet from being asked for", () => {
  expect(faults({ prefixes: "Orange" })).toEqual({});
  expect(isWhole({ ...SHEET, prefixes: "04 à 07, Orange" }, true)).toBe(false);
});

test("the lines of a password and of a price that is missing are marked, and the password is a blank or a variable", () => {
  const variable = `password = "\${ORANGE_SMPP_PASSWORD}"`;
  const draft = `[operators.orange]\n# price =\n\nhost = "10.1.2.3"\n${variable}\n`;
  const marked = (place: "file" | "environment") =>
    draftLines(draft, place).flatMap(({ text, isOpen }) => (isOpen ? [text] : []));
  expect(marked("file")).toEqual(["# price =", 'password = "…"']);
  expect(marked("environment")).toEqual(["# price =", variable]);
  expect(draftLines(draft, "environment").map(({ text }) => text)).toEqual(draft.trimEnd().split("\n"));
});
