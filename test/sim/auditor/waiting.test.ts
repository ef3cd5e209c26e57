import { describe, expect, test } from "vitest";
import { audit } from "./audit.ts";
import { balances } from "./rules/balances.ts";
import { charges } from "./rules/charges.ts";
import { feedWhole } from "./rules/feed-whole.ts";
import { lostBatches } from "./rules/lost-batches.ts";
import { prices } from "./rules/prices.ts";
import { idOf, type Otherwise, wholeRun } from "./scene.ts";

/** The second of the two, which costs 20 XOF; the first is delivered and charged. */
const WAITING = idOf(501);
const NOON = "2026-03-02T12:00:00.000Z";
/** Within the day that it waits. */
const LATER = "2026-03-03T11:00:00.000Z";

type Told = {
  readonly id?: string;
  readonly until?: string | null;
  readonly isListed?: boolean;
  readonly reserved?: number;
  readonly row?: Readonly<Record<string, unknown>>;
  /** The other message. */
  readonly first?: Readonly<Record<string, unknown>>;
  readonly isCutShort?: boolean;
  readonly batch?: Otherwise["batch"];
};

/** What is said of a run in which one of two messages has not ended. */
function run({
  id = WAITING,
  until = LATER,
  isListed = true,
  reserved = 20,
  row,
  first,
  batch,
  ...how
}: Told): string {
  const told = wholeRun({
    before: (scene) =>
      void scene.ask(
        { client: "alpha", path: "/account/balance" },
        { status: 200, json: { data: { as_of: NOON } } },
      ),
    batch: { status: "SENDING", charged_amount: 15, ...batch },
    rows: [first ?? {}, { status: "SUBMITTED", is_final: false, amount: 0, reserved_amount: 20, ...row }],
    wallet: { balance: 9985, reserved, spendable: 9985 - reserved },
    after: (scene) =>
      void scene.command(
        "operator unanswered",
        { limit: "1000" },
        { data: { messages: isListed ? [{ message_id: id, until }] : [], has_more: false } },
      ),
  });
  const { findings } = audit(
    told.observations,
    [lostBatches, feedWhole, balances, charges, prices],
    how.isCutShort ?? true,
  );
  return [...new Set(findings.map(({ rule }) => rule))].sort().join(" ");
}

const ALL = "balance feed-whole lost-batch squared";

describe("a message that waits for an answer when a run is cut short", () => {
  test("may be open where it is listed, its batch with it, and what it costs is reserved", () => {
    expect(run({})).toBe("");
  });

  test("is a finding where it is not listed, or another is", () => {
    expect(run({ isListed: false })).toBe(ALL);
    expect(run({ id: idOf(777) })).toBe(ALL);
  });

  test("is a finding where its wait is over, never ends, or is longer than any", () => {
    expect(run({ until: NOON })).toBe(ALL);
    expect(run({ until: null })).toBe(ALL);
    expect(run({ until: "2026-03-03T13:00:00.000Z" })).toBe(ALL);
  });

  test("is a finding in a run that waits for everything", () => {
    expect(run({ isCutShort: false })).toBe(ALL);
  });

  test("has its own money reserved, to the franc, and excuses no other message", () => {
    expect(run({ reserved: 21 })).toBe("balance");
    expect(run({ reserved: 0 })).toBe("balance");
    expect(run({ row: { reserved_amount: 0 } })).toContain("squared");
    expect(run({ row: { status: "QUEUED" } })).toBe(ALL);
    expect(run({ batch: { released_amount: 20 } })).toBe("squared");
    const first = { status: "SUBMITTED", is_final: false, amount: 0, reserved_amount: 15 };
    const batch = { charged_amount: 0 };
    expect(run({ first, batch, reserved: 35 })).toBe(ALL);
  });
});
