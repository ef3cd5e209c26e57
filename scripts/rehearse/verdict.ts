import type { OperatorAccount } from "./account.ts";
import { type Message, PRICE, TOP_UP, WINDOW } from "./appliance.ts";
import type { Row } from "./rows.ts";
import type { Asked } from "./texts.ts";

/** Everything known at the end of a row: the client's side, the books, the operator's side. */
export type Evidence = {
  readonly row: Row;
  readonly asked: ReadonlyMap<string, Asked>;
  /** By number, without +, as the feed told last. */
  readonly messages: ReadonlyMap<string, Message>;
  readonly wallet: { readonly balance: number; readonly reserved: number };
  readonly ledgerProblem: string | null;
  readonly account: OperatorAccount;
  /** Lines of level "error" in the appliance's log. */
  readonly errors: readonly string[];
  readonly exitCodes: readonly number[];
};

export type Verdict = {
  /** How many messages ended in each status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly repeats: number;
  /** What went against a promise, in words. */
  readonly problems: readonly string[];
};

/** Compares both sides of a row (docs/behaviour.md sections 5 and 6). Pure. */
export function verdictOf(evidence: Evidence): Verdict {
  const problems = [
    ...problemsOfMessages(evidence),
    ...problemsOfRepeats(evidence),
    ...problemsOfMoney(evidence),
    ...problemsOfOperator(evidence),
  ];
  const statuses: Record<string, number> = {};
  for (const { status } of evidence.messages.values()) statuses[status] = (statuses[status] ?? 0) + 1;
  return { statuses, repeats: repeatsOf(evidence.account), problems };
}

/** The states that a message may have, given what the operator did to it. */
function expectedStatuses(number: string, asked: Asked, evidence: Evidence): readonly string[] {
  const { account, row } = evidence;
  const told = account.receipts.get(number) ?? [];
  const ends = row.mayEnd ?? [];
  const parts = row.connections?.some((own) => own.includes("payload")) ? 1 : asked.parts;
  const accepted = account.parts.get(number)?.size ?? 0;
  if (ends.includes("refused") && accepted < parts) return ["FAILED"];
  if (ends.includes("undelivered") && told.some(({ stat }) => stat !== "DELIVRD")) return ["FAILED"];
  const isTold = told.filter(({ receipts }) => receipts > 0).length >= parts;
  if (ends.includes("unreceipted") && !isTold) return ["SENT"];
  // A submit of MARKETING that nobody answered waits for a day: its receipt may settle it, when it can be told whose it is.
  const waits = asked.messageClass === "MARKETING" && mostUnanswered(evidence.row, account) > 0;
  return waits ? ["DELIVERED", "SUBMITTED"] : ["DELIVERED"];
}

function problemsOfMessages(evidence: Evidence): string[] {
  const { asked, messages, account, row } = evidence;
  const wrong = new Map<string, string[]>();
  const note = (what: string, number: string) => wrong.set(what, [...(wrong.get(what) ?? []), number]);
  let waiting = 0;
  for (const [number, wanted] of asked) {
    const message = messages.get(number);
    if (message === undefined) {
      note("not in the feed", number);
      continue;
    }
    const expected = expectedStatuses(number, wanted, evidence);
    if (!expected.includes(message.status)) note(`${message.status}, not ${expected.join(" or ")}`, number);
    if (message.status === "SUBMITTED") waiting += 1;
    if (message.segments !== wanted.parts) note(`${message.segments} segments, not ${wanted.parts}`, number);
    const texts = account.texts.get(number) ?? [];
    if (texts.some((text) => text !== wanted.text)) note("another text on the handset", number);
    if (message.status === "DELIVERED" && texts.length === 0)
      note("DELIVERED, and nothing on the handset", number);
  }
  const mostWaiting = mostUnanswered(row, account);
  if (waiting > mostWaiting) wrong.set(`${waiting} wait for an answer, ${mostWaiting} at most may`, []);
  return [...wrong].map(([what, numbers]) =>
    numbers.length === 0 ? what : `${numbers.length} × ${what} (${numbers.slice(0, 3).join(", ")})`,
  );
}

/** One window of each link that was lost or not read for a time, and what was swallowed. */
function mostUnanswered(
  { window = WINDOW }: Row,
  { linksLost, stalls, unanswered }: OperatorAccount,
): number {
  return (linksLost + stalls) * window + unanswered;
}

function repeatsOf({ parts }: OperatorAccount): number {
  return [...parts.values()]
    .flatMap((seen) => [...seen.values()])
    .reduce((sum, { accepted }) => sum + accepted - 1, 0);
}

function problemsOfRepeats({ row, asked, account }: Evidence): string[] {
  const problems: string[] = [];
  const most = mostUnanswered(row, account);
  const repeats = repeatsOf(account);
  if (repeats > most) problems.push(`${repeats} repeats, ${most} at most are decided`);
  let ofAnswered = 0;
  for (const [number, seen] of account.parts) {
    for (const { accepted, repeatedAnswered } of seen.values()) {
      const { messageClass = "?" } = asked.get(number) ?? {};
      if (messageClass === "MARKETING" && accepted > 1)
        problems.push(`MARKETING to ${number} ${accepted} times`);
      if (accepted > 4) problems.push(`${number} ${accepted} times`);
      ofAnswered += repeatedAnswered;
    }
  }
  if (ofAnswered > account.stalls * (row.window ?? WINDOW))
    problems.push(`${ofAnswered} repeats of what was answered`);
  return problems;
}

function problemsOfMoney({ messages, wallet, ledgerProblem }: Evidence): string[] {
  const problems = ledgerProblem === null ? [] : [`ledger check: ${ledgerProblem}`];
  let charged = 0;
  let reserved = 0;
  for (const { msisdn, status, segments, amount } of messages.values()) {
    charged += amount;
    if (status === "SUBMITTED") reserved += segments * PRICE - amount;
    const isAccepted = status === "SENT" || status === "DELIVERED";
    if (isAccepted && amount !== segments * PRICE) problems.push(`${msisdn} is ${status} and cost ${amount}`);
  }
  if (wallet.balance !== TOP_UP - charged) {
    problems.push(`the balance is ${wallet.balance}, not ${TOP_UP - charged}`);
  }
  if (wallet.reserved !== reserved) problems.push(`${wallet.reserved} are reserved, not ${reserved}`);
  return problems;
}

function problemsOfOperator({ account, errors, exitCodes }: Evidence): string[] {
  const problems = Object.entries(account.stats.violationsByKind).map(
    ([what, times]) => `${times} × ${what}`,
  );
  if (errors.length > 0) problems.push(`${errors.length} errors logged, such as ${errors[0]}`);
  if (exitCodes.some((code) => code !== 0)) problems.push(`exit codes ${exitCodes.join(", ")}`);
  return problems;
}
