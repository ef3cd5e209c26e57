/**
 * What went over the links to the operators, put together: each submit_sm with its responses, each deliver_sm with its answer, and
 * when either end is known to have had them. A rule asks here and reads no PDU itself.
 */
import { lifeBegunBy } from "./circumstances.ts";
import type { History, Life, SeenLink, SeenPdu } from "./history.ts";
import { type Pdu, readPdu } from "./pdu.ts";
import { type Deliver, delivering } from "./wire-delivers.ts";
import { type LinkPdus, type Submit, submitting } from "./wire-submits.ts";

export type WirePdu = {
  readonly pdu: Pdu;
  readonly centre: string;
  readonly link: number;
  readonly from: "appliance" | "centre";
  readonly octets: Uint8Array;
  /** In the hands of the centre: read there, or written there; null when it never was. */
  readonly centreAtMs: number | null;
  /**
   * In the hands of the appliance: written there, or read there; null when it never was, or when nobody watched that end
   * (`isWatched`).
   */
  readonly applianceAtMs: number | null;
  /** Place among all that was seen. */
  readonly order: number;
};

export type Wires = {
  /** In the order they were first seen. */
  readonly pdus: readonly WirePdu[];
  readonly byLink: ReadonlyMap<number, readonly WirePdu[]>;
  readonly links: ReadonlyMap<number, SeenLink>;
  readonly submits: readonly Submit[];
  readonly delivers: readonly Deliver[];
  /** The appliance's end was watched too: what is not seen there did not get there. */
  readonly isWatched: boolean;
  /** The life that a moment falls into; null between two. */
  readonly lifeAt: (atMs: number) => Life | null;
};

const known = new WeakMap<History, Wires>();

/** The wires of a history, put together once. */
export function wiresOf(history: History): Wires {
  const found = known.get(history) ?? makeWires(history);
  known.set(history, found);
  return found;
}

function makeWires(history: History): Wires {
  const isWatched = history.pdus.some(({ at }) => at === "appliance");
  const pdus = isWatched ? bothEnds(history.pdus) : history.pdus.map(oneEnd);
  const byLink = new Map<number, WirePdu[]>();
  for (const pdu of pdus) {
    const there = byLink.get(pdu.link) ?? [];
    there.push(pdu);
    byLink.set(pdu.link, there);
  }
  const links = new Map(history.links.map((link) => [link.link, link]));
  const context: LinkPdus = { history, links, isWatched, lifeAt: (atMs) => lifeBegunBy(history.lives, atMs) };
  return {
    pdus,
    byLink,
    links,
    isWatched,
    lifeAt: context.lifeAt,
    submits: inOrder([...byLink].flatMap(([, there]) => submitting(there, context))),
    delivers: inOrder([...byLink].flatMap(([, there]) => delivering(there, context))),
  };
}

function inOrder<T extends { readonly pdu: WirePdu }>(found: T[]): T[] {
  return found.sort((a, b) => a.pdu.order - b.pdu.order);
}

/** One entry for each PDU, seen at one end or at both: octets keep their order on a link, so the first equal ones fit. */
function bothEnds(seen: readonly SeenPdu[]): WirePdu[] {
  const open = new Map<string, WirePdu[]>();
  const all: WirePdu[] = [];
  seen.forEach((one, order) => {
    const key = `${one.link} ${one.from} ${Buffer.from(one.octets).toString("latin1")}`;
    const waiting = open.get(key)?.find((pdu) => endOf(pdu, one.at) === null);
    if (waiting !== undefined) {
      setEnd(waiting, one.at, one.atMs);
      return;
    }
    const pdu = oneEnd(one, order);
    open.set(key, [...(open.get(key) ?? []), pdu]);
    all.push(pdu);
  });
  return all;
}

/** A PDU that was seen at one end, as far as is known yet. */
function oneEnd({ centre, link, from, octets, at, atMs }: SeenPdu, order: number): WirePdu {
  const isCentres = at === "centre";
  const [centreAtMs, applianceAtMs] = isCentres ? [atMs, null] : [null, atMs];
  return { pdu: readPdu(octets), centre, link, from, octets, order, centreAtMs, applianceAtMs };
}

function endOf(pdu: WirePdu, at: SeenPdu["at"]): number | null {
  return at === "centre" ? pdu.centreAtMs : pdu.applianceAtMs;
}

function setEnd(pdu: WirePdu, at: SeenPdu["at"], atMs: number): void {
  Object.assign(pdu, at === "centre" ? { centreAtMs: atMs } : { applianceAtMs: atMs });
}
