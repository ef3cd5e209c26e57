/** People of a file and its corrections by operator, by what became of their last try and why. */
import { operatorNames } from "../../config/operator-codes.ts";
import { errorObject } from "../../messages/message-error.ts";
import type { OutcomeLine, OutcomeState } from "../../reports/batch-report.ts";
import type { PeopleOfFamily } from "../../reports/family-people.ts";
import type { Asked } from "./asked.ts";
import { type MaybeMoney, moneyFor } from "./money.ts";

/** `messages` are people: each counts once, by the try that counts. SMS and amounts are of all texts to them. */
export type PeopleLine = MaybeMoney<OutcomeLine> & {
  readonly name: string;
  /** The error in the reader's words. */
  readonly detail: string | null;
};

const STATES: Readonly<Record<PeopleOfFamily["sent"][number]["state"], OutcomeState>> = {
  ...({ DELIVERED: "DELIVERED", SENT: "NO_RECEIPT", UNDER_WAY: "UNDER_WAY" } as const),
  ...({ FAILED: "FAILED", CANCELLED: "CANCELLED" } as const),
};

/** Those of whom nothing was ever sent are in none. */
export function operatorLines(
  { context, inTheirWords, seesMoney }: Asked,
  { sent }: PeopleOfFamily,
): readonly PeopleLine[] {
  const names = operatorNames(context.config);
  const lines = new Map<string, OutcomeLine>();
  for (const { operator, state: was, error: why, segments, amount } of sent) {
    const state = STATES[was];
    const error = why === "" ? null : why;
    const key = `${operator} ${state} ${error}`;
    const sum = lines.get(key);
    lines.set(key, {
      ...{ operator, state, error, messages: (sum?.messages ?? 0) + 1 },
      ...{ segments: (sum?.segments ?? 0) + segments, amount: (sum?.amount ?? 0) + amount },
    });
  }
  return [...lines.values()].sort(byOperator).map((line) => ({
    ...moneyFor(seesMoney, line),
    name: names[line.operator] ?? line.operator,
    detail: line.error && inTheirWords(errorObject(line.error, null)?.detail ?? line.error),
  }));
}

function byOperator(one: OutcomeLine, other: OutcomeLine): number {
  if (one.operator === other.operator) return other.messages - one.messages;
  return one.operator < other.operator ? -1 : 1;
}
