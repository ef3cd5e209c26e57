import type { Accept, ActorEdges } from "../actors.ts";
import { forked, seedFrom } from "../chance.ts";
import { habitsFrom } from "../habits.ts";
import type { CentreHabits, CentrePlan } from "../plan.ts";
import { deliveries } from "./deliveries.ts";
import { garbageOf } from "./garbage.ts";
import { type Link, type LinkHome, openLink } from "./link.ts";
import { type MoText, moParts } from "./mo.ts";
import { submits } from "./submits.ts";

/** An operator's SMSC, for one account of it: it outlives the appliance's lives and never forgets. */
export type Centre = {
  readonly accept: Accept;
  /** Other habits for what comes from now on; what was planned before stays planned. */
  readonly change: (habits: Partial<CentreHabits>) => void;
  /** Other habits for a while, whatever else changes meanwhile. */
  readonly during: (habits: Partial<CentreHabits>, forMs: number) => void;
  /** No faults any more, and no mood lasts; how it writes ids and marks receipts stays as it is. */
  readonly calm: () => void;
  readonly unbindAll: () => void;
  /** Something that is no PDU, or none that was called for, on every bound link. */
  readonly garbage: () => void;
  /** Reads nothing. */
  readonly stall: (forMs: number) => void;
  /** A subscriber writes. */
  readonly mo: (mo: MoText) => void;
  readonly dropAll: (how: "fin" | "rst") => void;
  /** What it still has to say: responses and receipts whose time has not come, and what was not answered for. */
  readonly owed: () => { readonly planned: number; readonly deliveries: number };
  /** How it behaves now. */
  readonly habits: () => CentreHabits;
};

/** An operator without faults, and not slow. */
const CALM: Omit<CentreHabits, "ids" | "marks" | "refusals"> = {
  responseMs: [1, 20],
  receiptMs: [10, 500],
  swallow: 0,
  ignore: 0,
  doubleResponse: 0,
  contradict: 0,
  refuse: 0,
  noReceipt: 0,
  earlyReceipt: 0,
  doubleReceipt: 0,
  contradictReceipt: 0,
  foreignReceipt: 0,
  intermediateReceipt: 0,
  undelivered: 0,
  refuseBind: 0,
  deafToEnquire: 0,
};

/** Opens a centre. Whatever it does is drawn from a fork of the chance, by what it is about. */
export function openCentre(edges: ActorEdges, plan: CentrePlan): Centre {
  const { clock, observe } = edges;
  const seed = seedFrom(edges.chance);
  const habits = habitsFrom(plan.habits, clock);
  let stalledUntilMs = 0;
  let disturbed = 0;
  const links = new Set<Link>();
  const outbox = deliveries(edges, plan.name, seed, () => [...links]);
  const desk = submits(edges, plan.name, seed, habits.now, (delivered) => outbox.add("receipt", delivered));
  const home: LinkHome = {
    edges,
    centre: plan.name,
    seed,
    habits: habits.now,
    stalledForMs: () => Math.max(0, stalledUntilMs - clock.steadyMs()),
    bound: outbox.pump,
    submitted: desk.take,
    answered: outbox.answered,
    ended: (link) => {
      links.delete(link);
      outbox.ended(link);
    },
  };
  const goOn = (): void => {
    const stalledMs = home.stalledForMs();
    if (stalledMs > 0) clock.after(stalledMs, goOn);
    else for (const link of links) link.read(true);
  };
  const fault = (name: string, detail: string) =>
    observe({ kind: "fault", name: `centre: ${name}`, detail: `${plan.name}, ${detail}` });
  return {
    accept: (number, wire) => {
      const { link, events } = openLink(home, number, wire);
      links.add(link);
      if (home.stalledForMs() > 0) link.read(false);
      return events;
    },
    change: habits.change,
    during: habits.during,
    calm: () => habits.calm(CALM),
    unbindAll: () => {
      for (const link of [...links]) link.unbind();
    },
    garbage: () => {
      disturbed++;
      for (const link of [...links].filter((each) => each.bound() !== null)) {
        const { name, octets, isPdu } = garbageOf(forked(seed, "garbage", disturbed, link.number));
        fault(name, `link ${link.number}`);
        if (isPdu) link.write(octets);
        else link.writeRaw(octets);
      }
    },
    stall: (forMs) => {
      stalledUntilMs = Math.max(stalledUntilMs, clock.steadyMs() + forMs);
      for (const link of links) link.read(false);
      clock.after(forMs, goOn);
    },
    mo: (mo) => {
      const chance = forked(seed, "mo", ++disturbed, mo.from);
      const said = moParts(mo, chance, desk.latest(), String(desk.neverGiven()));
      for (const part of said) outbox.add("text", part);
    },
    dropAll: (how) => {
      for (const link of [...links]) link.end(how);
    },
    owed: () => ({ planned: desk.owed(), deliveries: outbox.owed() }),
    habits: habits.now,
  };
}
