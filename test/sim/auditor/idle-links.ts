/** When a link was bound and carried no submit. */
import { connectionsTo } from "./connections.ts";
import type { History, SeenLink } from "./history.ts";
import type { Stretch } from "./pauses.ts";
import type { Pdu } from "./pdu.ts";
import { wiresOf } from "./wires.ts";

/** Between its bind and its end, the times without a submit, each from when the one before can have no answer any more. */
export function idleOn(history: History, { link, centre, closedAtMs }: SeenLink): readonly Stretch[] {
  const pdus = wiresOf(history).byLink.get(link) ?? [];
  const bound = pdus.find(({ pdu }) => isBinding(pdu));
  if (!bound || bound.applianceAtMs === null) return [];
  const patienceMs = Math.max(...connectionsTo(history, centre).map((each) => each.responseTimeoutMs));
  const times = pdus.flatMap(({ pdu, from, applianceAtMs }) =>
    from === "appliance" && pdu.kind === "submit_sm" && applianceAtMs !== null ? [applianceAtMs] : [],
  );
  const endMs = closedAtMs ?? history.restAtMs ?? history.endAtMs;
  const from = [bound.applianceAtMs, ...times.map((atMs) => atMs + patienceMs)];
  return from.map((fromMs, place) => ({ fromMs, toMs: times[place] ?? endMs }));
}

/** A bind that was accepted, by which submits may be sent. */
function isBinding(pdu: Pdu): boolean {
  return pdu.kind === "response" && pdu.status === 0 && SENDING.includes(pdu.to);
}

const SENDING: readonly string[] = ["bind_transmitter", "bind_transceiver"];

/** For how long two stretches are the same time; below 0: by how much they miss one another. */
export function overlap(one: Stretch, other: Stretch): number {
  return Math.min(one.toMs, other.toMs) - Math.max(one.fromMs, other.fromMs);
}
