import { expect, test } from "vitest";
import { showData } from "../../src/cli/show.ts";

test("values stand by name, objects under theirs, rows in a table", () => {
  expect(
    showData({
      account_id: "A",
      classes: ["OTP", "MARKETING"],
      note: null,
      rows: [
        { key_id: "1", operators: [] },
        { key_id: "22", operators: ["orange"] },
      ],
      wallet: { balance: 5 },
    }),
  ).toBe(
    [
      "account id:  A",
      "classes:     OTP, MARKETING",
      "note:        -",
      "",
      "rows:",
      "  KEY ID  OPERATORS",
      "  1       (none)",
      "  22      orange",
      "",
      "wallet:",
      "  balance:  5",
      "",
    ].join("\n"),
  );
});

test("an empty list says so", () => {
  expect(showData({ accounts: [] })).toBe("accounts:  (none)\n");
});

test("a value cannot steer the terminal", () => {
  expect(showData({ name: "a\u001b[2Jb\nc" })).toBe("name:  a\\u001b[2Jb\\nc\n");
});

test("of a wide list people read the columns that were picked, also from inside an object", () => {
  const shape = { rows: "accounts", columns: ["name", "wallet.balance"] };
  const data = { accounts: [{ id: 1, name: "Faso", wallet: { balance: 5 } }, { name: "B" }], more: true };
  expect(showData(data, shape)).toBe(
    ["more:  true", "", "accounts:", "  NAME  WALLET BALANCE", "  Faso  5", "  B     -", ""].join("\n"),
  );
  expect(showData({ accounts: [] }, shape)).toBe("accounts:  (none)\n");
});

test("one list may stand in two tables, under titles of their own", () => {
  const shapes = [
    { rows: "links", columns: ["name", "state"] },
    { rows: "links", title: "traffic", columns: ["name", "sent.total"] },
  ];
  expect(showData({ links: [{ name: "a", state: "BOUND", sent: { total: 7 } }], up: true }, shapes)).toBe(
    [
      "up:  true",
      "",
      "links:",
      "  NAME  STATE",
      "  a     BOUND",
      "",
      "traffic:",
      "  NAME  SENT TOTAL",
      "  a     7",
      "",
    ].join("\n"),
  );
});
