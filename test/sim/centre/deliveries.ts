import type { ActorEdges } from "../actors.ts";
import { forked } from "../chance.ts";
import type { Link } from "./link.ts";
import { type Delivered, deliverSm, STATUS } from "./pdu.ts";

export type Deliveries = {
  readonly add: (what: "receipt" | "text", delivered: Delivered) => void;
  /** Writes what waits to whatever link can take it. */
  readonly pump: () => void;
  readonly answered: (link: Link, sequence: number, status: number) => void;
  /** What the link had not answered for waits again. */
  readonly ended: (link: Link) => void;
  /** How many wait, or are not answered for. */
  readonly owed: () => number;
};

type Delivery = {
  readonly number: number;
  readonly what: string;
  readonly delivered: Delivered;
  tries: number;
  isOver: boolean;
};

const WINDOW = 10;
const PATIENCE_MS = 60_000;
const AGAIN_MS = 5_000;
const TEMPORARY: ReadonlySet<number> = new Set([
  STATUS.systemError,
  STATUS.queueFull,
  STATUS.throttled,
  STATUS.temporary,
]);

/**
 * The deliver_sm that a centre has for its account, until each is answered: over any link that can receive, again over another when
 * a link ends or is silent for too long. So the appliance sees some of them twice, as it would of a real centre.
 */
export function deliveries(
  { clock, observe }: ActorEdges,
  centre: string,
  seed: number,
  links: () => readonly Link[],
): Deliveries {
  let numbers = 0;
  let owed = 0;
  let waiting: Delivery[] = [];
  const flying = new Map<Link, Map<number, Delivery>>();
  const flyingOn = (link: Link) => flying.get(link) ?? new Map<number, Delivery>();

  const fault = (name: string, { number, what }: Delivery, detail = "") =>
    observe({
      kind: "fault",
      name: `centre: ${what} ${name}`,
      detail: `${centre}, delivery ${number} ${detail}`.trim(),
    });
  const wayOf = ({ number, tries }: Delivery): Link | null => {
    const ways = links().filter((link) => link.canDeliver() && flyingOn(link).size < WINDOW);
    if (ways.length < 2) return ways[0] ?? null;
    return ways[Math.floor(forked(seed, "way", number, tries).fraction() * ways.length)] ?? null;
  };
  const send = (link: Link, delivery: Delivery): void => {
    const sequence = link.nextSequence();
    const here = flyingOn(link);
    flying.set(link, here.set(sequence, delivery));
    if (delivery.tries++ > 0) fault("sent again", delivery);
    link.write(deliverSm(sequence, delivery.delivered));
    clock.after(PATIENCE_MS, () => {
      if (delivery.isOver || !here.delete(sequence)) return;
      fault("unanswered", delivery);
      waiting.push(delivery);
      pump();
    });
  };
  const pump = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const way = wayOf(next);
      if (way === null) return;
      waiting.shift();
      send(way, next);
    }
  };
  return {
    add: (what, delivered) => {
      owed++;
      waiting.push({ number: ++numbers, what, delivered, tries: 0, isOver: false });
      pump();
    },
    pump,
    answered: (link, sequence, status) => {
      const delivery = flying.get(link)?.get(sequence);
      if (delivery === undefined) return;
      flying.get(link)?.delete(sequence);
      if (TEMPORARY.has(status)) {
        clock.after(AGAIN_MS, () => {
          waiting.push(delivery);
          pump();
        });
      } else {
        if (status !== STATUS.ok) fault("refused by the appliance", delivery, `0x${status.toString(16)}`);
        delivery.isOver = true;
        owed--;
      }
      pump();
    },
    ended: (link) => {
      const here = flyingOn(link);
      const back = [...here.values()];
      // Nobody is waited for any more over this link.
      here.clear();
      flying.delete(link);
      waiting = [...back, ...waiting];
      pump();
    },
    owed: () => owed,
  };
}
