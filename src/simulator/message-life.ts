/** What becomes of a message that this operator was handed: judged, and then at its handset, cancelled or failed. */
import type { ShortMessage } from "../smpp/short-message.ts";
import { type SmscState, findMailbox, emit, findThrottle } from "./centre.ts";
import { findMagicNumber } from "./magic.ts";
import { post } from "./mailbox.ts";
import type { SmscMessage, SubmittedMessage } from "./message-book.ts";
import type { MessageId } from "./message-ids.ts";
import { receiptMessage } from "./receipt-message.ts";
import type { ReceiptStat, Stat } from "./states.ts";
import { type Fate, planSubmit, type Plan } from "./submit-plan.ts";

/** Decides about a well-formed submit_sm; `id` is null for a refused one. */
export function judge(
  centre: SmscState,
  systemId: string,
  message: ShortMessage,
  placeOnLink: number,
): { readonly plan: Plan; readonly id: MessageId | null } {
  const { quirks, tally, chance } = centre;
  const throttle = findThrottle(centre, systemId);
  const nowMs = centre.clock.steadyMs();
  const submit = {
    destination: message.destinationAddr,
    registeredDelivery: message.registeredDelivery,
    earlierToNumber: earlierTo(centre, message.destinationAddr),
    placeOnLink,
    place: tally.submits,
    dropped: tally.dropped,
    isTooMuch: !throttle.allows(quirks, nowMs),
  };
  const plan = planSubmit(submit, quirks, chance);
  if (plan.fate === null) return { plan, id: null };
  throttle.count(quirks, nowMs);
  return { plan, id: centre.nextId(quirks) };
}

function earlierTo({ magicSubmits }: SmscState, number: string): number {
  if (findMagicNumber(number) === undefined) return 0;
  const earlier = magicSubmits.get(number) ?? 0;
  magicSubmits.set(number, earlier + 1);
  return earlier;
}

/** Lets an accepted message meet its fate, unless it was cancelled: the handset, then the receipts. */
export function fulfil(centre: SmscState, kept: SmscMessage, { stat, receipts }: Fate): void {
  if (kept.state !== "ENROUTE") return;
  if (stat === "DELIVRD") show(centre, kept.submitted);
  finish(centre, kept, stat, receipts);
  if (centre.quirks.enrouteReceipts && receipts > 0) postReceipt(centre, kept, "ENROUTE");
  for (let sent = 0; sent < receipts; sent++) postReceipt(centre, kept, stat);
}

/** Ends a message that is under way before it reached its handset. */
export function cancelMessage(centre: SmscState, kept: SmscMessage): void {
  const asked = kept.submitted.message.registeredDelivery & 0x03;
  const isWanted = !centre.quirks.noReceipts && (asked === 1 || asked === 2);
  finish(centre, kept, "DELETED", isWanted ? 1 : 0);
  if (isWanted) postReceipt(centre, kept, "DELETED");
}

function show(centre: SmscState, { message, part }: SubmittedMessage): void {
  const text = centre.handsets.take(message.sourceAddr, message.destinationAddr, part);
  if (text === null) return;
  centre.tally.texts += 1;
  emit(centre, { kind: "text", ...text });
}

function finish(centre: SmscState, kept: SmscMessage, stat: Stat, receipts: number): void {
  const { message, id } = kept.submitted;
  centre.book.end(kept, stat, centre.clock.nowMs());
  emit(centre, { kind: "outcome", to: message.destinationAddr, id: id.receipt, stat, receipts });
}

/** A number that nobody has: nothing was sent there. */
const NOBODY = "22600000000";

function postReceipt(centre: SmscState, { submitted, doneAtMs }: SmscMessage, stat: ReceiptStat): void {
  const { clock, quirks } = centre;
  const { message, part, id, systemId, receiver, submittedAtMs } = submitted;
  const facts = {
    about: message,
    id: id.receipt,
    stat,
    submittedAtMs,
    doneAtMs: doneAtMs ?? clock.nowMs(),
    text: part.text,
  };
  const command = quirks.dataSmReceipts ? "data_sm" : "deliver_sm";
  const way = { link: receiver, elsewhere: quirks.receiptsElsewhere };
  const box = findMailbox(centre, systemId);
  post(box, { command, message: receiptMessage(facts, quirks), ...way });
  for (let stray = 0; stray < quirks.strayReceipts; stray++) {
    const about = { ...message, destinationAddr: NOBODY };
    const id = `stray-${Buffer.from(centre.chance.bytes(8)).toString("hex")}`;
    post(box, { command, message: receiptMessage({ ...facts, about, id }, quirks), ...way });
  }
}
