/** The life of a message at this operator: judged, and then delivered to its handset, cancelled or failed; and its receipts. */
import { ESM_INTERMEDIATE, ESM_RECEIPT, type ShortMessage, shortMessage } from "../smpp/short-message.ts";
import type { MessageId } from "./message-ids.ts";
import { ERROR_CODE, MESSAGE_STATE, type ReceiptStat, type Stat } from "./message-states.ts";
import { type Fate, findMagicNumber, type Plan, planSubmit } from "./outcome.ts";
import type { Quirks } from "./quirks.ts";
import type { SmscMessage, SmscState, SubmittedMessage } from "./smsc-state.ts";

/** Decides about a well-formed submit_sm; `id` is null for a refused one. */
export function judge(
  smsc: SmscState,
  systemId: string,
  message: ShortMessage,
  placeOnLink: number,
): { readonly plan: Plan; readonly id: MessageId | null } {
  const { quirks, tally, chance } = smsc;
  const throttle = smsc.findThrottle(systemId);
  const nowMs = smsc.clock.steadyMs();
  const submit = {
    destination: message.destinationAddr,
    registeredDelivery: message.registeredDelivery,
    earlierToNumber: earlierTo(smsc, message.destinationAddr),
    placeOnLink,
    place: tally.submits,
    dropped: tally.dropped,
    isTooMuch: !throttle.allows(quirks, nowMs),
  };
  const plan = planSubmit(submit, quirks, chance);
  if (plan.fate === null) return { plan, id: null };
  throttle.count(quirks, nowMs);
  return { plan, id: smsc.nextId(quirks) };
}

function earlierTo({ magicSubmits }: SmscState, number: string): number {
  if (findMagicNumber(number) === undefined) return 0;
  const earlier = magicSubmits.get(number) ?? 0;
  magicSubmits.set(number, earlier + 1);
  return earlier;
}

/** Brings an accepted message to its planned end, unless it was cancelled: the handset, then the receipts. */
export function fulfil(smsc: SmscState, kept: SmscMessage, { stat, receipts }: Fate): void {
  if (kept.state !== "ENROUTE") return;
  if (stat === "DELIVRD") show(smsc, kept.submitted);
  finish(smsc, kept, stat, receipts);
  if (smsc.quirks.enrouteReceipts && receipts > 0) postReceipt(smsc, kept, "ENROUTE");
  for (let sent = 0; sent < receipts; sent++) postReceipt(smsc, kept, stat);
}

/** Ends a message that is under way before it reached its handset. */
export function cancelMessage(smsc: SmscState, kept: SmscMessage): void {
  const asked = kept.submitted.message.registeredDelivery & 0x03;
  const isWanted = !smsc.quirks.noReceipts && (asked === 1 || asked === 2);
  finish(smsc, kept, "DELETED", isWanted ? 1 : 0);
  if (isWanted) postReceipt(smsc, kept, "DELETED");
}

function show(smsc: SmscState, { message, part }: SubmittedMessage): void {
  const text = smsc.handsets.take(message.sourceAddr, message.destinationAddr, part);
  if (text === null) return;
  smsc.tally.texts += 1;
  smsc.emit({ kind: "text", ...text });
}

function finish(smsc: SmscState, kept: SmscMessage, stat: Stat, receipts: number): void {
  const { message, id } = kept.submitted;
  smsc.messages.end(kept, stat, smsc.clock.nowMs());
  smsc.emit({ kind: "outcome", to: message.destinationAddr, id: id.receipt, stat, receipts });
}

/** A number that does not exist: nothing was sent there. */
const NOBODY = "22600000000";

function postReceipt(smsc: SmscState, { submitted, doneAtMs }: SmscMessage, stat: ReceiptStat): void {
  const { clock, quirks } = smsc;
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
  const box = smsc.findMailbox(systemId);
  box.post({ command, message: receiptMessage(facts, quirks), ...way });
  for (let stray = 0; stray < quirks.strayReceipts; stray++) {
    const about = { ...message, destinationAddr: NOBODY };
    const id = `stray-${Buffer.from(smsc.chance.bytes(8)).toString("hex")}`;
    box.post({ command, message: receiptMessage({ ...facts, about, id }, quirks), ...way });
  }
}

type ReceiptFacts = {
  /** The message the receipt is about, as it was submitted. */
  readonly about: ShortMessage;
  /** The id as this operator writes it in receipts. */
  readonly id: string;
  readonly stat: ReceiptStat;
  readonly submittedAtMs: number;
  readonly doneAtMs: number;
  /** The message's beginning, of which the first 20 characters are repeated. */
  readonly text: string;
};

/** The quirks of receipts. */
type ReceiptQuirks = Pick<
  Quirks,
  "noTlvs" | "noReceiptText" | "payloadReceipts" | "dataSmReceipts" | "unmarkedReceipts" | "receiptSeconds"
>;

/** network_error_code: the error is one of a GSM network (SMPP 3.4 section 5.3.2.31). */
const GSM_NETWORK = 3;
const MAX_TEXT_LENGTH = 20;
const MINUTES = 10;
const SECONDS = 12;

/**
 * The body of a receipt: the text of SMPP 3.4 appendix B, and the three optional parameters that say the same, or
 * only one of the two. data_sm has no short_message, so its text is a message_payload.
 */
export function receiptMessage(facts: ReceiptFacts, quirks: ReceiptQuirks): ShortMessage {
  const { about, id, stat } = facts;
  const text = quirks.noReceiptText ? Buffer.alloc(0) : Buffer.from(textOf(facts, quirks), "latin1");
  const isPayload = text.length > 0 && (quirks.payloadReceipts || quirks.dataSmReceipts);
  const error = ERROR_CODE[stat];
  const marked = stat === "ENROUTE" ? ESM_INTERMEDIATE : ESM_RECEIPT;
  return shortMessage({
    sourceAddrTon: about.destAddrTon,
    sourceAddrNpi: about.destAddrNpi,
    sourceAddr: about.destinationAddr,
    destAddrTon: about.sourceAddrTon,
    destAddrNpi: about.sourceAddrNpi,
    destinationAddr: about.sourceAddr,
    esmClass: quirks.unmarkedReceipts ? 0 : marked,
    shortMessage: isPayload ? new Uint8Array(0) : text,
    tlvs: {
      ...(isPayload && { messagePayload: text }),
      ...(!quirks.noTlvs && {
        receiptedMessageId: id,
        messageState: MESSAGE_STATE[stat],
        networkErrorCode: Uint8Array.of(GSM_NETWORK, error >> 8, error & 0xff),
      }),
    },
  });
}

function textOf(facts: ReceiptFacts, { receiptSeconds }: ReceiptQuirks): string {
  const { id, stat } = facts;
  const digits = receiptSeconds ? SECONDS : MINUTES;
  return [
    `id:${id} sub:001 dlvrd:${stat === "DELIVRD" ? "001" : "000"}`,
    `submit date:${date(facts.submittedAtMs, digits)} done date:${date(facts.doneAtMs, digits)}`,
    `stat:${stat} err:${String(ERROR_CODE[stat]).padStart(3, "0")} text:${ascii(facts.text)}`,
  ].join(" ");
}

/** YYMMDDhhmm, or with ss behind it, in the operator's local time, which is UTC in Burkina Faso. */
function date(epochMs: number, digits: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace(/\D/g, "")
    .slice(2, 2 + digits);
}

/** When a message reached its final state, as query_sm_resp tells it: an absolute time in UTC (SMPP 3.4 section 7.1.1.1). */
export function finalDate(epochMs: number): string {
  return `${date(epochMs, SECONDS)}000+`;
}

/** The part of a text that is the same octets in every alphabet. */
function ascii(text: string): string {
  return [...text]
    .slice(0, MAX_TEXT_LENGTH)
    .map((character) => (/[ -~]/.test(character) ? character : "?"))
    .join("");
}
