import type { ActorEdges, Wire, WireEvents } from "../actors.ts";
import { frameCutter } from "../frames.ts";
import type { CentreHabits } from "../plan.ts";
import { type Bound, COMMAND, GENERIC_NACK, pduOf, readPdu, STATUS, type Submitted } from "./pdu.ts";
import { session } from "./session.ts";
import { stallable } from "./stall.ts";

/** What the links of a centre share, and whom they tell. */
export type LinkHome = {
  readonly edges: ActorEdges;
  readonly centre: string;
  readonly seed: number;
  readonly habits: () => CentreHabits;
  /** How long nothing is read from now on; 0 when it is. */
  readonly stalledForMs: () => number;
  readonly bound: () => void;
  readonly submitted: (link: Link, sequence: number, submitted: Submitted) => void;
  /** A deliver_sm was answered; a generic_nack answers as well. */
  readonly answered: (link: Link, sequence: number, status: number) => void;
  readonly ended: (link: Link) => void;
};

/** A connection as the centre sees it. */
export type Link = {
  readonly number: number;
  /** How it is bound; null before and after. */
  readonly bound: () => Bound | null;
  /** It is bound now, or by an unbind no longer. */
  readonly bind: (as: Bound | null) => void;
  /** Whether deliver_sm may be written: bound for it, and nobody is unbinding. */
  readonly canDeliver: () => boolean;
  readonly isOver: () => boolean;
  readonly nextSequence: () => number;
  /** Writes a PDU; false when the link has ended. */
  readonly write: (pdu: Uint8Array) => boolean;
  /** Writes what is no PDU. */
  readonly writeRaw: (octets: Uint8Array) => void;
  /** Stops reading, or goes on. */
  readonly read: (isWanted: boolean) => void;
  readonly unbind: () => void;
  /** Ends it, or notes that it has ended. */
  readonly end: (how: "fin" | "rst" | "gone") => void;
  /** Notes what a good centre would not do. */
  readonly fault: (name: string, detail?: string) => void;
};

const IDLE_MS = 30_000;
const UNBIND_MS = 5_000;

/** Takes a connection: reads it, keeps it alive, and hands on what is said. */
export function openLink(
  home: LinkHome,
  number: number,
  wire: Wire,
): { readonly link: Link; readonly events: WireEvents } {
  const { clock, observe } = home.edges;
  const link = linkOn(home, number, wire);
  const take = session(home, link);
  const cut = frameCutter();
  let heardAtMs = clock.steadyMs();
  let isEnquiring = false;
  const read = (octets: Uint8Array): void => {
    if (link.isOver()) return;
    heardAtMs = clock.steadyMs();
    isEnquiring = false;
    const { frames, isLost } = cut(octets);
    for (const frame of frames) {
      if (link.isOver()) return;
      observe({
        kind: "pdu",
        centre: home.centre,
        link: number,
        from: "appliance",
        at: "centre",
        octets: frame,
      });
      take(readPdu(frame));
    }
    if (!isLost || link.isOver()) return;
    link.fault("stream not understood");
    link.write(pduOf({ command: GENERIC_NACK, status: STATUS.invalidLength, sequence: 0 }));
    link.end("fin");
  };
  const watch = (): void => {
    if (link.isOver()) return;
    clock.after(IDLE_MS, watch);
    if (home.stalledForMs() > 0 || clock.steadyMs() - heardAtMs < IDLE_MS) return;
    if (isEnquiring || link.bound() === null) {
      link.fault("silent link given up");
      link.end("rst");
    } else {
      isEnquiring = true;
      link.write(pduOf({ command: COMMAND.enquire_link, sequence: link.nextSequence() }));
    }
  };
  clock.after(IDLE_MS, watch);
  return { link, events: stallable(home, { data: read, closed: () => link.end("gone") }) };
}

function linkOn(home: LinkHome, number: number, wire: Wire): Link {
  const { clock, observe } = home.edges;
  const { centre } = home;
  let bound: Bound | null = null;
  let isUnbinding = false;
  let isOver = false;
  let sequence = 0;
  const link: Link = {
    number,
    bound: () => bound,
    bind: (as) => {
      bound = as;
    },
    canDeliver: () => bound !== null && bound !== "transmitter" && !isUnbinding,
    isOver: () => isOver,
    nextSequence: () => ++sequence,
    write: (octets) => {
      if (isOver) return false;
      observe({ kind: "pdu", centre, link: number, from: "centre", at: "centre", octets });
      wire.write(octets);
      return true;
    },
    writeRaw: (octets) => {
      if (!isOver) wire.write(octets);
    },
    read: (isWanted) => {
      if (!isOver) wire.read?.(isWanted);
    },
    unbind: () => {
      if (bound === null || isUnbinding) return;
      isUnbinding = true;
      link.write(pduOf({ command: COMMAND.unbind, sequence: link.nextSequence() }));
      clock.after(UNBIND_MS, () => link.end("fin"));
    },
    end: (how) => {
      if (isOver) return;
      isOver = true;
      bound = null;
      if (how !== "gone") wire.close(how);
      home.ended(link);
    },
    fault: (name, detail = "") =>
      observe({
        kind: "fault",
        name: `centre: ${name}`,
        detail: `${centre}, link ${number} ${detail}`.trim(),
      }),
  };
  return link;
}
