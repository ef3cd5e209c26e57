/** An operator that answers what it reads at once, and sends receipts when the test says so, as many at a time as its window allows. */
import type { Dial, DialEvents, SmppSocket } from "../../src/smpp/dial.ts";
import { COMMAND, deliverSm, octetsOf, pduOf, RESPONSE, readPdu, type Submitted } from "../sim/centre/pdu.ts";
import { receiptOf } from "../sim/centre/receipt.ts";
import { frameCutter } from "../sim/frames.ts";
import type { Scheduler } from "../sim/world/scheduler.ts";

export type QuickCentre = {
  readonly dial: Dial;
  readonly submits: () => number;
  readonly acknowledged: () => number;
  /** Has receipts sent for all that was accepted and has none. */
  readonly sendReceipts: () => void;
};

/** What loopback takes. */
const LATENCY_MS = 0.05;
/** deliver_sm without an answer. */
const WINDOW = 100;

type Accepted = { readonly id: string; readonly submitted: Submitted };

export function quickCentre(time: Scheduler, nowMs: () => number): QuickCentre {
  const accepted: Accepted[] = [];
  let due: Accepted[] = [];
  let [ids, receipts, acknowledged, flying] = [0, 0, 0, 0];
  let link: DialEvents | null = null;
  /** What is written in one turn arrives in one piece. */
  let outgoing: Uint8Array[] = [];
  const write = (octets: Uint8Array): void => {
    if (outgoing.length === 0) time.after(LATENCY_MS, arrive);
    outgoing.push(octets);
  };
  const arrive = (): void => {
    const octets = Buffer.concat(outgoing);
    outgoing = [];
    link?.data(octets);
  };
  const pump = (): void => {
    for (let next = due[0]; next !== undefined && flying < WINDOW; next = due[0]) {
      due.shift();
      flying += 1;
      receipts += 1;
      write(deliverSm(receipts, receiptAbout(next, nowMs())));
    }
  };
  const read = (octets: Uint8Array): void => {
    const pdu = readPdu(octets);
    const { sequence } = pdu;
    switch (pdu.is) {
      case "bind":
        write(pduOf({ command: pdu.command + RESPONSE, sequence }, octetsOf("quick\0")));
        return;
      case "submit": {
        ids += 1;
        const id = String(ids);
        accepted.push({ id, submitted: pdu.submitted });
        write(pduOf({ command: COMMAND.submit_sm + RESPONSE, sequence }, octetsOf(`${id}\0`)));
        return;
      }
      case "deliver response":
        acknowledged += 1;
        flying -= 1;
        pump();
        return;
      case "unbind":
        write(pduOf({ command: COMMAND.unbind + RESPONSE, sequence }));
        return;
      default:
        if (pdu.is === "enquire") write(pduOf({ command: COMMAND.enquire_link + RESPONSE, sequence }));
    }
  };
  return {
    submits: () => ids,
    acknowledged: () => acknowledged,
    sendReceipts: () => {
      due = accepted.splice(0);
      pump();
    },
    dial: (_profile, _clock, on): SmppSocket => {
      time.after(LATENCY_MS, () => {
        link = on;
        on.connected();
      });
      const cut = frameCutter();
      return {
        write: (octets) => {
          const copy = octets.slice();
          time.after(LATENCY_MS, () => {
            for (const pdu of cut(copy).frames) read(pdu);
          });
          return octets.length;
        },
        pause: () => {},
        resume: () => {},
        hangUp: () => {
          link = null;
        },
      };
    },
  };
}

function receiptAbout({ id, submitted }: Accepted, nowMs: number) {
  const times = { submittedAtMs: nowMs, doneAtMs: nowMs };
  const facts = {
    about: submitted,
    id,
    number: submitted.destination,
    stat: "DELIVRD",
    error: 0,
    ...times,
  } as const;
  return receiptOf(facts, "both");
}
