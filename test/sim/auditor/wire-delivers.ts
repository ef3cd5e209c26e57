/** Each deliver_sm with what it says and how it was answered. */
import { type ReceiptSays, readReceipt } from "./receipt-text.ts";
import type { LinkPdus } from "./wire-submits.ts";
import type { WirePdu } from "./wires.ts";

export type Deliver = {
  readonly pdu: WirePdu;
  readonly command: "deliver_sm" | "data_sm";
  readonly centre: string;
  readonly link: number;
  readonly writtenAtMs: number;
  /** When it was whole in the hands of the appliance; null: never, or nobody watched. */
  readonly heardAtMs: number | null;
  /** Null: a text of a subscriber. */
  readonly receipt: ReceiptSays | null;
  /** How the appliance answered, as the centre had it; null: no answer came there. */
  readonly answer: { readonly status: number; readonly atMs: number } | null;
};

/** What one link, whose PDUs these are, brought to the appliance. */
export function delivering(pdus: readonly WirePdu[], _: LinkPdus): Deliver[] {
  const found: (Deliver & { answer: Deliver["answer"] })[] = [];
  const open = new Map<number, (typeof found)[number][]>();
  for (const seen of pdus) {
    const { pdu, from, centre, link } = seen;
    if (from === "centre" && pdu.kind === "deliver_sm") {
      const deliver = {
        pdu: seen,
        command: pdu.command,
        centre,
        link,
        heardAtMs: seen.applianceAtMs,
        writtenAtMs: seen.centreAtMs ?? seen.applianceAtMs ?? 0,
        receipt: readReceipt(pdu.text),
        answer: null,
      };
      found.push(deliver);
      open.set(pdu.sequence, [...(open.get(pdu.sequence) ?? []), deliver]);
    } else if (from === "appliance" && pdu.kind === "response" && seen.centreAtMs !== null) {
      const answered = open
        .get(pdu.sequence)
        ?.find(({ answer, command }) => answer === null && command === pdu.to);
      if (answered) answered.answer = { status: pdu.status, atMs: seen.centreAtMs };
    }
  }
  return found;
}
