import type { Chance } from "../../../src/core/chance.ts";
import type { ActorEdges } from "../actors.ts";
import { forked, happens, oneOf } from "../chance.ts";
import type { CentreHabits } from "../plan.ts";
import { type GivenId, idsFrom, written } from "./ids.ts";
import type { Link } from "./link.ts";
import { type Address, COMMAND, cString, type Delivered, pduOf, RESPONSE, type Submitted } from "./pdu.ts";
import { receiptOf } from "./receipt.ts";
import { ERRORS } from "./stat.ts";
import { type PlannedReceipt, type PlannedResponse, submitFate, type Which } from "./submit-fate.ts";

/** A text that the centre took, for whoever makes up something about it. */
export type Taken = { readonly id: GivenId; readonly submitted: Submitted };

export type Submits = {
  readonly take: (link: Link, sequence: number, submitted: Submitted) => void;
  /** Responses and receipts whose time has not come. */
  readonly owed: () => number;
  /** The last texts that were accepted, the latest first. */
  readonly latest: () => readonly Taken[];
  readonly neverGiven: () => number;
};

type Case = {
  readonly link: Link;
  readonly sequence: number;
  readonly submitted: Submitted;
  readonly habits: CentreHabits;
  readonly chance: Chance;
  readonly ofData: Chance;
  readonly idOf: (which: Which) => GivenId;
  readonly takenAtMs: number;
};

const KEPT = 8;
const RECEIPTS_ASKED = 0x03;
const ONLY_OF_FAILURE = 0x02;

/** What becomes of the texts that are submitted, each by a chance of its own: the nth for its number. */
export function submits(
  { clock, observe }: ActorEdges,
  centre: string,
  seed: number,
  habits: () => CentreHabits,
  deliver: (delivered: Delivered) => void,
): Submits {
  const ids = idsFrom();
  const counts = new Map<string, number>();
  let owed = 0;
  let latest: readonly Taken[] = [];
  const fault = (name: string, detail: string) =>
    observe({ kind: "fault", name, detail: `${centre}, ${detail}` });
  const later = (delayMs: number, what: () => void): void => {
    owed++;
    clock.after(delayMs, () => {
      owed--;
      what();
    });
  };

  const respond = ({ link, sequence, idOf, submitted }: Case, { words }: PlannedResponse): void => {
    const command = COMMAND.submit_sm + RESPONSE;
    const pdu =
      "refuses" in words
        ? pduOf({ command, status: words.refuses, sequence })
        : pduOf({ command, sequence }, cString(idOf(words.accepts).inResponse));
    const isWritten = link.bound() !== null && link.write(pdu);
    if (!isWritten)
      fault("centre: response lost with its link", `link ${link.number} ${submitted.destination.digits}`);
  };
  const receipt = (about: Case, planned: PlannedReceipt): void => {
    const { submitted, habits: then, chance, idOf, takenAtMs } = about;
    const isGiven = planned.id !== "never given";
    const id = planned.id === "never given" ? written(ids.neverGiven(), then.ids) : idOf(planned.id);
    const told = planned.number === "own" ? submitted.destination : neighbour(submitted.destination);
    const number = then.masksNumbers ? masked(told) : told;
    const error = oneOf(chance, ERRORS[planned.stat]);
    const facts = { about: submitted, id: id.inReceipts, number, stat: planned.stat, error };
    const times = { submittedAtMs: isGiven ? takenAtMs : clock.nowMs(), doneAtMs: clock.nowMs() };
    const isInPayload = happens(chance, then.payloadReceipt ?? 0);
    const isData = happens(about.ofData, then.dataReceipt ?? 0);
    deliver({ ...receiptOf({ ...facts, ...times }, then.marks, isInPayload), isData });
  };
  return {
    take: (link, sequence, submitted) => {
      const { digits } = submitted.destination;
      const nth = (counts.get(digits) ?? 0) + 1;
      counts.set(digits, nth);
      const then = habits();
      const fate = submitFate(then, forked(seed, "submit", digits, nth));
      const idOf = idsOf(ids.next, then.ids);
      const takenAtMs = clock.nowMs();
      const chance = forked(seed, "receipt", digits, nth);
      const ofData = forked(seed, "data_sm", digits, nth);
      const about: Case = { link, sequence, submitted, habits: then, chance, ofData, idOf, takenAtMs };
      for (const name of fate.oddities) fault(name, `${digits} #${nth}`);
      const receipts = fate.receipts.filter(({ stat }) => isAskedFor(submitted, stat === "DELIVRD"));
      // A receipt that is as early as the response goes first.
      for (const planned of receipts) later(planned.afterMs, () => receipt(about, planned));
      for (const planned of fate.responses) later(planned.afterMs, () => respond(about, planned));
      if (fate.receipts.length > 0) latest = [{ id: idOf("first"), submitted }, ...latest].slice(0, KEPT);
    },
    owed: () => owed,
    latest: () => latest,
    neverGiven: ids.neverGiven,
  };
}

/** registered_delivery (SMPP 3.4 section 5.2.17). */
function isAskedFor({ registeredDelivery }: Submitted, isDelivered: boolean): boolean {
  const asked = registeredDelivery & RECEIPTS_ASKED;
  return asked !== 0 && !(asked === ONLY_OF_FAILURE && isDelivered);
}

/** The ids of one text, each given when something first needs it. */
function idsOf(next: (form: CentreHabits["ids"]) => GivenId, form: CentreHabits["ids"]): Case["idOf"] {
  const given: Partial<Record<Which, GivenId>> = {};
  return (which) => {
    const id = given[which] ?? next(form);
    given[which] = id;
    return id;
  };
}

/** The number of another subscriber. */
function neighbour(address: Address): Address {
  const last = Number(address.digits.at(-1)) || 0;
  return { ...address, digits: `${address.digits.slice(0, -1)}${(last + 1) % 10}` };
}

function masked(address: Address): Address {
  return { ...address, digits: address.digits.replace(/\d{6}$/, "******") };
}
