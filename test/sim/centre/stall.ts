import type { WireEvents } from "../actors.ts";
import type { LinkHome } from "./link.ts";

/** What comes while the centre reads nothing is read afterwards, the end included. */
export function stallable(
  { edges: { clock }, stalledForMs }: Pick<LinkHome, "edges" | "stalledForMs">,
  events: WireEvents,
): WireEvents {
  let held: (() => void)[] = [];
  const release = (): void => {
    if (stalledForMs() > 0) {
      clock.after(stalledForMs(), release);
      return;
    }
    const due = held;
    held = [];
    for (const what of due) what();
  };
  const inTurn = (what: () => void): void => {
    if (held.length === 0 && stalledForMs() === 0) what();
    else if (held.push(what) === 1) clock.after(stalledForMs(), release);
  };
  return {
    data: (octets) => {
      const kept = octets.slice();
      inTurn(() => events.data(kept));
    },
    closed: () => inTurn(events.closed),
  };
}
