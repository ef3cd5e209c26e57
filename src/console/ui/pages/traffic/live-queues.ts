/** How much waits for each operator now: the page was read once, and what waited may have left since. Pure. */
import type { LiveQueue, StaffLive } from "../../../server/live/live-view.ts";
import type { Answer } from "../../api/contract.ts";

type View = Answer<"GET /operators">;

/** Puts the latest streamed queues into the page; it stays as read before any came. */
export function mergeLiveQueues(view: View, now: Pick<StaffLive, "queues"> | null): View {
  if (now === null) return view;
  return {
    ...view,
    queues: view.queues.map((queue) => ({ ...queue, waiting: waitingIn(now.queues, queue.operator) })),
  };
}

function waitingIn(queues: readonly LiveQueue[], operator: string): number {
  return queues
    .filter((queue) => queue.operator === operator)
    .reduce((sum, { messages }) => sum + messages, 0);
}

/** From so many on a resume is confirmed: all of them leave at once. */
const MANY = 100;

/** Whether a resume is confirmed first: much waits for it, and nothing else of the operator sends it meanwhile. */
export function asksBeforeResume(view: View, code: string, connection: number | null): boolean {
  const waiting = view.queues.find(({ operator }) => operator === code)?.waiting ?? 0;
  if (waiting < MANY) return false;
  const own = view.connections.filter(({ operator }) => operator === code);
  return connection === null || own.every(({ paused }) => paused !== null);
}
