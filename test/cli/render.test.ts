import { describe, expect, test } from "vitest";
import { renderData } from "../../src/cli/render.ts";
import { PLAIN } from "../../src/cli/terminal.ts";

test("values stand by name, objects under theirs, rows in a table", () => {
  expect(
    renderData({
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
  expect(renderData({ accounts: [] })).toBe("accounts:  (none)\n");
});

test("a value cannot steer the terminal", () => {
  expect(renderData({ name: "a\u001b[2Jb\nc" })).toBe("name:  a\\u001b[2Jb\\nc\n");
});

test("nor can C1 controls, bidi marks, or the name of a member that is a client's own", () => {
  const shown = renderData({
    "no\u202em": "a\u009b2J",
    rows: [{ "\u2066x": "\u202eb" }],
    counts: { "c\u009bd": 2 },
  });
  expect(shown).not.toMatch(/(?!\n)\p{C}/u);
  expect(shown).toContain("a\\u009b2J");
});

test("of a wide list people read the columns that were picked, also from inside an object", () => {
  const shape = { rows: "accounts", columns: ["name", "wallet.balance"] };
  const data = { accounts: [{ id: 1, name: "Faso", wallet: { balance: 5 } }, { name: "B" }], more: true };
  expect(renderData(data, shape)).toBe(
    ["more:  true", "", "accounts:", "  NAME  WALLET BALANCE", "  Faso  5", "  B     -", ""].join("\n"),
  );
  expect(renderData({ accounts: [] }, shape)).toBe("accounts:  (none)\n");
});

test("one list may stand in two tables, under titles of their own", () => {
  const shapes = [
    { rows: "links", columns: ["name", "state"] },
    { rows: "links", title: "traffic", columns: ["name", "sent.total"] },
  ];
  expect(renderData({ links: [{ name: "a", state: "BOUND", sent: { total: 7 } }], up: true }, shapes)).toBe(
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

const lines = (data: unknown, width: number) =>
  renderData(data, [], { ...PLAIN, width })
    .trimEnd()
    .split("\n");
const widest = (data: unknown, width: number) =>
  Math.max(...lines(data, width).map((line) => Bun.stringWidth(line)));

describe("on a terminal", () => {
  const account = (name: string, balance: number) => ({
    account_id: "01M80D0REWGWD1WATAWAQFTVFP",
    name,
    status: "ACTIVE",
    timezone: "Africa/Ouagadougou",
    balance,
    created_at: "2026-11-22T01:13:06.268Z",
  });
  const data = { accounts: [account("Pharmacie du Marché", 1_250_000), account("Faso", -500)] };

  test("numbers are grouped and stand at the right, but for those that count nothing", () => {
    expect(
      lines(
        {
          balance: 1234567,
          port: 12775,
          rows: [
            { n: 5, port: 2775 },
            { n: 12345, port: 1 },
          ],
        },
        80,
      ),
    ).toEqual([
      "balance:  1 234 567",
      "port:     12775",
      "",
      "rows:",
      "       N  PORT",
      "       5  2775",
      "  12 345  1",
    ]);
  });

  test("a table that fits is a table, with short instants", () => {
    const [, head, first, second] = lines(data, 140);
    expect(head).toMatch(/^ {2}ACCOUNT ID +NAME +STATUS +TIMEZONE +BALANCE +CREATED AT$/);
    expect(first).toMatch(/Pharmacie du Marché {2}ACTIVE .* 1 250 000 {2}2026-11-22 01:13:06$/);
    expect(second).toMatch(/ -500 {2}2026/);
    expect(first?.indexOf("ACTIVE")).toBe(second?.indexOf("ACTIVE"));
  });

  test("a table whose heads are wider than what stands under them gets heads of several lines", () => {
    const rows = [{ receipts_matched_today: 5, receipts_unmatched_today: 1200 }];
    expect(lines({ rows }, 30)).toEqual([
      "rows:",
      "  RECEIPTS   RECEIPTS",
      "   MATCHED  UNMATCHED",
      "     TODAY      TODAY",
      "         5      1 200",
    ]);
  });

  test("a table that is too wide becomes a block for each row, without what it has not", () => {
    const rows = [
      { ...account("Faso", 5), note: null },
      { ...account("B", 7), note: "called twice ".repeat(12).trim() },
    ];
    expect(lines({ rows }, 60)).toEqual([
      "rows:",
      "  01M80D0REWGWD1WATAWAQFTVFP",
      "    name:        Faso",
      "    status:      ACTIVE",
      "    timezone:    Africa/Ouagadougou",
      "    balance:     5",
      "    created at:  2026-11-22 01:13:06",
      "",
      "  01M80D0REWGWD1WATAWAQFTVFP",
      "    name:        B",
      "    status:      ACTIVE",
      "    timezone:    Africa/Ouagadougou",
      "    balance:     7",
      "    created at:  2026-11-22 01:13:06",
      "    note:        called twice called twice called twice",
      "                 called twice called twice called twice",
      "                 called twice called twice called twice",
      "                 called twice called twice called twice",
    ]);
  });

  test("a value of several words is folded under its beginning, and one without a blank stays whole", () => {
    expect(lines({ note: "called twice ".repeat(5).trim(), key: "x".repeat(60) }, 40)).toEqual([
      "note:  called twice called twice called",
      "       twice called twice called twice",
      `key:   ${"x".repeat(60)}`,
    ]);
  });

  test("no line is wider than the terminal, whatever stands in it", () => {
    const odd = { rows: [{ ...account("日本語の会社".repeat(9), 1), detail: { key: "x".repeat(400) } }] };
    for (const width of [60, 80, 100, 130, 200]) expect(widest(odd, width)).toBeLessThanOrEqual(width);
  });
});

describe("a value on a terminal", () => {
  const at = (width: number, language: "en" | "fr" = "en") => ({
    ...PLAIN,
    width,
    locale: language,
  });

  test("shares are percents, with the comma of French", () => {
    expect(renderData({ delivered_share: 0.8333 }, [], at(80))).toBe("delivered share:  83.3 %\n");
    expect(renderData({ delivered_share: 0.8333 }, [], at(80, "fr"))).toBe("part livrée\u00a0:  83,3 %\n");
    expect(renderData({ delivered_share: 0.8333 })).toBe("delivered share:  0.8333\n");
  });

  test("an instant stands without T and Z, and never in what people wrote", () => {
    const shown = renderData({ at: "2026-03-02T09:00:16+00:00" }, [], at(100));
    expect(shown).toContain("2026-03-02 09:00:16\n");
    expect(renderData({ reason: "since 2026-03-02T09:00:16Z" }, [], at(100))).toContain(
      "2026-03-02T09:00:16Z",
    );
  });

  test("a table whose widest column is sentences folds them while there is room, and is blocks below that", () => {
    const long = "for what is accepted from now on; accounts with a price of their own keep it";
    const rows = [
      { path: "operators.orange.price", waiting: 12_000, consequence: long },
      { path: "log.level", waiting: 0, consequence: "from the next line on" },
    ];
    expect(renderData({ rows }, [], at(80)).split("\n")).toEqual([
      "rows:",
      "  PATH                    WAITING  CONSEQUENCE",
      "  operators.orange.price   12 000  for what is accepted from now on; accounts",
      "                                   with a price of their own keep it",
      "  log.level                     0  from the next line on",
      "",
    ]);
    expect(renderData({ rows }, [], at(60))).toContain("operators.orange.price\n    waiting:      12 000\n");
    const whole = [{ path: "operators.orange.price", waiting: 1, url: "x".repeat(90) }];
    expect(renderData({ rows: whole }, [], at(80))).toContain(`\n    url:      ${"x".repeat(66)}\n`);
  });

  test("a row whose first column has nothing is a block under a dash, and not under its next figure", () => {
    const rows = [{ key: null, accepted: 7, charged: 66 }];
    const shape = { rows: "rows", columns: ["key", "accepted", "charged"] };
    expect(renderData({ rows }, shape, at(14))).toBe("rows:\n  -\n    accepted:  7\n    charged:   66\n");
  });
});

test("a table of those rows that have something leaves the others out, and is left out without any", () => {
  const shape = [{ rows: "alerts", title: "what lasts", having: ["since"], columns: ["rule", "since"] }];
  const ok = { rule: "disk", since: null };
  expect(renderData({ alerts: [ok, { rule: "clock", since: "now" }] }, shape)).toBe(
    "what lasts:\n  RULE   SINCE\n  clock  now\n",
  );
  expect(renderData({ alerts: [ok], up: true }, shape)).toBe("up:  true\n");
});
