/** Each submit_sm with what the centre said of it, and how much of that the appliance can know. */
import type { History, Life, SeenLink } from "./history.ts";
import type { Text } from "./pdu.ts";
import type { WirePdu } from "./wires.ts";

/** An answer as the centre wrote it. */
export type SubmitAnswer = {
  readonly status: number;
  /** The operator's id; empty where it gave none. */
  readonly messageId: string;
  readonly writtenAtMs: number;
  /** When it was whole in the hands of the appliance; null: never. */
  readonly heardAtMs: number | null;
  /** False where nobody watched that end and the link ended soon after, so that it may or may not have got there. */
  readonly isSure: boolean;
};

export type Submit = {
  readonly pdu: WirePdu;
  readonly text: Text;
  readonly centre: string;
  readonly link: number;
  readonly life: number;
  /** When the appliance wrote it, as far as that is known, else when the centre had it. */
  readonly writtenAtMs: number;
  /** Null: the network lost it, and no handset can have got the text. */
  readonly takenAtMs: number | null;
  /** In the order they were written. */
  readonly answers: readonly SubmitAnswer[];
  /** When its link ended; null: it was open to the end. */
  readonly linkEndedAtMs: number | null;
};

export type LinkPdus = {
  readonly history: History;
  readonly links: ReadonlyMap<number, SeenLink>;
  readonly isWatched: boolean;
  readonly lifeAt: (atMs: number) => Life | null;
};

/** What a link that nobody watched at the appliance's end may lose when it ends. */
const IN_FLIGHT_MS = 2_000;

/** The submits of one link, whose PDUs these are. */
export function submitting(pdus: readonly WirePdu[], context: LinkPdus): Submit[] {
  const found: (Submit & { readonly answers: SubmitAnswer[] })[] = [];
  const bySequence = new Map<number, (typeof found)[number]>();
  for (const seen of pdus) {
    const { pdu, from, link, centre } = seen;
    if (from === "appliance" && pdu.kind === "submit_sm") {
      const writtenAtMs = seen.applianceAtMs ?? seen.centreAtMs ?? 0;
      const submit = {
        pdu: seen,
        text: pdu.text,
        centre,
        link,
        writtenAtMs,
        takenAtMs: seen.centreAtMs,
        life: context.lifeAt(writtenAtMs)?.life ?? 0,
        answers: [],
        linkEndedAtMs: endedAt(link, writtenAtMs, context),
      };
      found.push(submit);
      bySequence.set(pdu.sequence, submit);
    } else if (from === "centre" && isAnswer(seen)) {
      bySequence.get(pdu.sequence)?.answers.push(answerOf(seen, context));
    }
  }
  return found;
}

function isAnswer({ pdu }: WirePdu): boolean {
  return pdu.kind === "generic_nack" || (pdu.kind === "response" && pdu.to === "submit_sm");
}

function answerOf(seen: WirePdu, context: LinkPdus): SubmitAnswer {
  const { pdu, link } = seen;
  const writtenAtMs = seen.centreAtMs ?? seen.applianceAtMs ?? 0;
  const messageId = pdu.kind === "response" ? pdu.messageId : "";
  const said = { status: pdu.status, messageId, writtenAtMs };
  if (context.isWatched) return { ...said, heardAtMs: seen.applianceAtMs, isSure: true };
  const endedAtMs = endedAt(link, writtenAtMs, context);
  const isSure = endedAtMs === null || endedAtMs - writtenAtMs > IN_FLIGHT_MS;
  return { ...said, heardAtMs: writtenAtMs, isSure };
}

/** When a link ended, by either end or with the process. */
function endedAt(link: number, sinceMs: number, { links, lifeAt }: LinkPdus): number | null {
  const ends = [links.get(link)?.closedAtMs ?? null, lifeAt(sinceMs)?.endedAtMs ?? null];
  const known = ends.filter((end) => end !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The first answer that says so was accepted, or refused; null without one. */
export function firstAnswer(submit: Submit, is: "accepted" | "refused"): SubmitAnswer | null {
  return submit.answers.find(({ status }) => (status === 0) === (is === "accepted")) ?? null;
}

/** Whether the handset may have got the text by it: the centre had it, and accepted it or never said. */
export function mayHaveArrived({ takenAtMs, answers }: Submit): boolean {
  if (takenAtMs === null) return false;
  return answers.length === 0 || answers.some(({ status }) => status === 0);
}
