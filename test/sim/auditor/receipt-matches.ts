/**
 * Which submits a receipt may be about (docs/behaviour.md#ids-of-operators, #whose-receipts): the same SMSC account, an id that may be
 * the same in one of its forms, and a number that agrees. Sure is only what leaves nobody a choice.
 */
import { connectionsTo } from "./connections.ts";
import { deathThatUndid } from "./durable.ts";
import type { History } from "./history.ts";
import { formsOf, type ReceiptSays } from "./receipt-text.ts";
import type { Deliver } from "./wire-delivers.ts";
import type { Submit } from "./wire-submits.ts";
import { wiresOf } from "./wires.ts";

export type ReceiptMatch = {
  readonly deliver: Deliver;
  readonly says: ReceiptSays;
  /** It can be about no other submit, and nothing of it is left to a rule of thumb. */
  readonly isSure: boolean;
};

const known = new WeakMap<History, ReadonlyMap<Submit, readonly ReceiptMatch[]>>();

/** The receipts that each submit may have got. */
export function receiptMatchesOf(history: History): ReadonlyMap<Submit, readonly ReceiptMatch[]> {
  const found = known.get(history) ?? matchAll(history);
  known.set(history, found);
  return found;
}

type Index = {
  /** By centre and a form of an id that the centre gave. */
  readonly byId: Map<string, Set<Submit>>;
  /** By centre and number: those that the appliance may think unanswered. */
  readonly open: Map<string, Submit[]>;
  /** The shortest time that an answer of a centre has. */
  readonly timeoutOf: (centre: string) => number;
  /** Whether a death may have undone what was heard then. */
  readonly isUndone: (heardAtMs: number) => boolean;
};

function matchAll(history: History): ReadonlyMap<Submit, readonly ReceiptMatch[]> {
  const { submits, delivers } = wiresOf(history);
  const isUndone = (heardAtMs: number) => deathThatUndid(history, heardAtMs) !== null;
  const index: Index = { byId: new Map(), open: new Map(), timeoutOf: timeouts(history), isUndone };
  for (const submit of submits) indexSubmit(index, submit);
  const matches = new Map<Submit, ReceiptMatch[]>();
  for (const deliver of delivers) {
    if (deliver.receipt === null) continue;
    const { submits: about, isSure } = aboutWhom(index, deliver, deliver.receipt);
    for (const submit of about) {
      const match = { deliver, says: deliver.receipt, isSure };
      matches.set(submit, [...(matches.get(submit) ?? []), match]);
    }
  }
  return matches;
}

function indexSubmit({ byId, open }: Index, submit: Submit): void {
  for (const { status, messageId } of submit.answers) {
    if (status !== 0 || messageId === "") continue;
    for (const form of formsOf(messageId)) {
      const key = `${submit.centre} ${form}`;
      byId.set(key, (byId.get(key) ?? new Set()).add(submit));
    }
  }
  const key = `${submit.centre} ${ending(submit.text.destination)}`;
  open.set(key, [...(open.get(key) ?? []), submit]);
}

function aboutWhom(
  { byId, open, timeoutOf, isUndone }: Index,
  { centre }: Deliver,
  says: ReceiptSays,
): { readonly submits: readonly Submit[]; readonly isSure: boolean } {
  const agrees = (submit: Submit) => numberAgrees(submit, says);
  const named = new Set(
    (says.id === null ? [] : formsOf(says.id)).flatMap((form) => [...(byId.get(`${centre} ${form}`) ?? [])]),
  );
  const fitting = [...named].filter(agrees);
  const [only] = fitting;
  const isSure = only !== undefined && fitting.length === 1 && says.isMarked && knownId(only) === says.id;
  if (isSure) return { submits: fitting, isSure };
  const numbers = says.addresses.map(ending);
  const unnamed = numbers
    .flatMap((number) => open.get(`${centre} ${number}`) ?? [])
    .filter((submit) => mayLackId(submit, timeoutOf(centre), isUndone));
  return { submits: [...new Set([...fitting, ...unnamed])], isSure: false };
}

/** The id that the appliance surely has of a submit: that of the first answer it heard. */
function knownId({ answers }: Submit): string | null {
  const first = answers.find(({ heardAtMs }) => heardAtMs !== null);
  return first?.isSure && first.status === 0 ? first.messageId : null;
}

/** So long before its time is up an answer may be late after all. */
const CLOSE_MS = 1_000;

/**
 * Whether the appliance may have had no id for it for a while, so that only the number told whose a receipt was: an answer that came
 * too late leaves what was decided until then, and a death may have undone one that was in time.
 */
function mayLackId(
  { answers, writtenAtMs }: Submit,
  timeoutMs: number,
  isUndone: Index["isUndone"],
): boolean {
  return !answers.some(
    ({ status, heardAtMs, isSure }) =>
      status === 0 &&
      isSure &&
      heardAtMs !== null &&
      heardAtMs - writtenAtMs < timeoutMs - CLOSE_MS &&
      !isUndone(heardAtMs),
  );
}

function timeouts(history: History): (centre: string) => number {
  const known = new Map<string, number>();
  return (centre) => {
    const found =
      known.get(centre) ?? Math.min(...connectionsTo(history, centre).map((each) => each.responseTimeoutMs));
    known.set(centre, found);
    return found;
  };
}

/** A masked address, a name or a short code says nothing; a number must be the handset's. */
function numberAgrees({ text }: Submit, { addresses, isMarked }: ReceiptSays): boolean {
  const handset = ending(text.destination);
  const numbers = addresses.map(ending).filter((number) => number.length === 8);
  return numbers.includes(handset) || (isMarked && numbers.length === 0);
}

/** The digits that tell a number apart, however it is written. */
function ending(address: string): string {
  return /^\+?\d+$/.test(address) ? address.replace(/\D/g, "").slice(-8) : "";
}
