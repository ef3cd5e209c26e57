/** What befalls a link because the quirks, or a person, ask for it. */
import { phrase } from "../i18n/phrase.ts";
import { nextSmscSequence } from "../smpp/centre-state.ts";
import { encodePdu } from "../smpp/pdu.ts";
import { later, emit } from "./centre.ts";
import { type GarbageKind, garbage } from "./garbage.ts";
import { leave, type SimulatedSession, emitQuirk } from "./link-state.ts";
import type { DropMode } from "./quirks.ts";

/** Ends the link without a word. `sequence` is that of the submit it happens at. */
export function drop(link: SimulatedSession, mode: DropMode, sequence = 1): void {
  if (!link.isOpen) return;
  link.centre.tally.dropped += 1;
  const why = phrase("simulator.dropped", { mode });
  emitQuirk(link, "dropped", why);
  if (mode === "mid_pdu") {
    const whole = encodePdu({ command: "submit_sm_resp", sequence, status: 0, messageId: "half" });
    link.writer.write(whole.subarray(0, whole.length / 2), null);
  }
  if (mode === "fin" || mode === "mid_pdu") {
    leave(link, why);
    return;
  }
  link.isOpen = false;
  link.why = why;
  link.writer.flush();
  link.writer.stop();
  if (mode === "rst") link.socket.terminate();
}

/** Reads nothing for so long; 0: for ever. */
export function stall(link: SimulatedSession, forMs: number): void {
  if (!link.isOpen || link.isStalled) return;
  link.isStalled = true;
  const what = forMs > 0 ? phrase("simulator.stalled", { ms: forMs }) : phrase("simulator.stalled.for_good");
  emitQuirk(link, "stalled", what);
  link.socket.pause();
  link.time.slow();
  if (forMs === 0) return;
  later(link.centre, forMs, () => {
    link.isStalled = false;
    link.socket.resume();
    link.time.normal();
    link.readOn();
  });
}

/** Writes octets that are no sound PDU. */
export function sendGarbage(link: SimulatedSession, kind: GarbageKind): void {
  if (!link.isOpen) return;
  const { centre, number } = link;
  const sequence = nextSmscSequence(link.session);
  link.garbageSent.add(sequence);
  centre.tally.garbage += 1;
  emit(centre, { kind: "garbage", link: number, garbage: kind });
  link.writer.write(garbage(kind, sequence, centre.chance), null);
}
