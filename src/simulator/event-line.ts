import { escapeControls } from "../base/escape-controls.ts";
import { STATUS, statusLabel } from "../smpp/status.ts";
import type { SmscEvent, SmscStats } from "./events.ts";

/** Between the lines of one event. */
const BELOW = "\n              ";

/** An event as a person watching reads it, each of its lines in the words of `say`; null for what would only be noise. */
export function eventLine(
  event: SmscEvent,
  say: (english: string) => string = (english) => english,
): string | null {
  const words = wordsOf(event);
  if (words === null) return null;
  const said = words
    .split(BELOW)
    .map((line) => escapeControls(say(line)))
    .join(BELOW);
  return `${new Date(event.atMs).toISOString().slice(11, 23)}  ${said}`;
}

function wordsOf(event: SmscEvent): string | null {
  switch (event.kind) {
    case "listening":
      return `listening on 127.0.0.1:${event.port}`;
    case "bound":
      return `link ${event.link}: ${printable(event.systemId)} bound as ${event.bind}`;
    case "bind_refused":
      return `link ${event.link}: bind of ${printable(event.systemId)} refused, ${statusLabel(event.status)}`;
    case "closed":
      return `link ${event.link}: ${event.why}`;
    case "submit":
      return submitWords(event);
    case "text": {
      const parts = event.parts === 1 ? "1 part" : `${event.parts} parts`;
      return `${address(event.from)} → ${address(event.to)}  ${parts}, ${event.alphabet}  “${printable(event.text)}”`;
    }
    case "outcome": {
      const times = event.receipts === 1 ? "" : event.receipts === 0 ? ", no receipt" : ", receipt twice";
      return `${event.stat.padEnd(7)}  ${address(event.to)}  id ${event.id}${times}`;
    }
    case "acknowledged":
      return event.status === STATUS.ROK ? null : `receipt answered with ${statusLabel(event.status)}`;
    case "quirk":
      return `link ${event.link}: ${event.what}`;
    case "garbage":
      return `link ${event.link}: garbage written: ${event.garbage}`;
    case "violation":
      return `link ${event.link}: VIOLATION: ${event.what}`;
    case "stopped":
      return summary(event.stats).join(BELOW);
  }
}

/** What the whole run came to, the broken rules last. */
export function summary(stats: SmscStats): readonly string[] {
  const broken = Object.entries(stats.violationsByKind).map(([what, times]) => `  ${times} × ${what}`);
  return [
    `stopped: ${stats.submits} submit_sm, ${stats.accepted} accepted, ${stats.refused} refused, ${stats.unanswered} unanswered`,
    `${stats.texts} texts on handsets, ${stats.incompleteTexts} with a part missing`,
    `${stats.receiptsSent} receipts sent, ${stats.receiptsAcknowledged} acknowledged, ${stats.receiptsWaiting} waiting`,
    `most on one link: ${stats.mostUnansweredOnLink} without an answer, ${stats.mostInASecondOnLink} in a second`,
    broken.length === 0 ? "no violations" : `${stats.violations} violations:`,
    ...broken,
  ];
}

/** Only what did not simply succeed; the text itself is shown when a handset has it. */
function submitWords({ from, to, status }: Extract<SmscEvent, { kind: "submit" }>): string | null {
  if (status === STATUS.ROK) return null;
  const what = status === null ? "accepted, not answered" : `refused, ${statusLabel(status)}`;
  return `${address(from)} → ${address(to)}  ${what}`;
}

function address(text: string): string {
  return /^\d{7,}$/.test(text) ? `+${text}` : printable(text);
}

/** One line whatever the text holds. What could steer a terminal is escaped with the whole line. */
function printable(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "⏎");
}
