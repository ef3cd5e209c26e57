import { escapeControls } from "../core/escape-controls.ts";
import { EXACT_ENGLISH, type Phrase, phrase } from "../i18n/phrase.ts";
import { english, withTexts } from "../i18n/text.ts";
import { STATUS, statusLabel } from "../smpp/status.ts";
import type { SmscEvent, SmscStats } from "./events.ts";

/** Between the lines of one event. */
const BELOW = "\n              ";

/** An event as a person watching reads it, each of its lines in the words of `say`; null for what would only be noise. */
export function eventLine(event: SmscEvent, say: (line: Phrase) => string = english): string | null {
  const lines = linesOf(event);
  if (lines.length === 0) return null;
  const said = lines.map((line) => escapeControls(say(line))).join(BELOW);
  return `${new Date(event.atMs).toISOString().slice(11, 23)}  ${said}`;
}

/** An event as a program reads it, in English. */
export function eventDocument(event: SmscEvent): unknown {
  if (event.kind !== "stopped") return withTexts(event, EXACT_ENGLISH);
  const { broken, ...stats } = event.stats;
  return { ...event, stats: { ...stats, violationsByKind: byWords(broken) } };
}

function byWords(broken: SmscStats["broken"]): Readonly<Record<string, number>> {
  return Object.fromEntries(broken.map(({ what, times }) => [english(what), times]));
}

function linesOf(event: SmscEvent): readonly Phrase[] {
  switch (event.kind) {
    case "listening":
      return [phrase("simulator.listening", { address: `127.0.0.1:${event.port}` })];
    case "bound": {
      const { link, systemId, bind } = event;
      return [phrase("simulator.bound", { link, system_id: printable(systemId), bind })];
    }
    case "bind_refused": {
      const { link, systemId, status } = event;
      const params = { link, system_id: printable(systemId), status: statusLabel(status) };
      return [phrase("simulator.bind_refused", params)];
    }
    case "closed":
      return [phrase("simulator.of_link", { link: event.link, what: event.why })];
    case "submit":
      return submitLines(event);
    case "text":
      return [textLine(event)];
    case "outcome":
      return [outcomeLine(event)];
    case "acknowledged":
      return event.status === STATUS.ROK
        ? []
        : [phrase("simulator.acknowledged", { status: statusLabel(event.status) })];
    case "quirk":
      return [phrase("simulator.of_link", { link: event.link, what: event.what })];
    case "garbage":
      return [phrase("simulator.garbage", { link: event.link, garbage: event.garbage })];
    case "violation":
      return [phrase("simulator.violation", { link: event.link, what: event.what })];
    case "stopped":
      return summary(event.stats);
  }
}

/** What the whole run came to, the broken rules last. */
function summary(stats: SmscStats): readonly Phrase[] {
  const { violations, broken } = stats;
  return [
    phrase("simulator.stopped", {
      submits: stats.submits,
      accepted: stats.accepted,
      refused: stats.refused,
      unanswered: stats.unanswered,
    }),
    phrase("simulator.stopped.texts", { texts: stats.texts, incomplete: stats.incompleteTexts }),
    phrase("simulator.stopped.receipts", {
      sent: stats.receiptsSent,
      acknowledged: stats.receiptsAcknowledged,
      waiting: stats.receiptsWaiting,
    }),
    phrase("simulator.stopped.most", {
      unanswered: stats.mostUnansweredOnLink,
      submits: stats.mostInASecondOnLink,
    }),
    broken.length === 0
      ? phrase("simulator.stopped.no_violations")
      : phrase("simulator.stopped.violations", { violations }),
    ...broken.map(({ what, times }) => phrase("simulator.stopped.violation", { times, what })),
  ];
}

/** Only what did not simply succeed; the text itself is shown when a handset has it. */
function submitLines({ from, to, status }: Extract<SmscEvent, { kind: "submit" }>): readonly Phrase[] {
  if (status === STATUS.ROK) return [];
  const between = { from: address(from), to: address(to) };
  return [
    status === null
      ? phrase("simulator.submit.unanswered", between)
      : phrase("simulator.submit.refused", { ...between, status: statusLabel(status) }),
  ];
}

function textLine({ from, to, parts, alphabet, text }: Extract<SmscEvent, { kind: "text" }>): Phrase {
  const params = { from: address(from), to: address(to), alphabet, text: printable(text) };
  return parts === 1
    ? phrase("simulator.text", params)
    : phrase("simulator.text.parts", { ...params, parts });
}

function outcomeLine({ stat, to, id, receipts }: Extract<SmscEvent, { kind: "outcome" }>): Phrase {
  const params = { stat: stat.padEnd(7), to: address(to), id };
  switch (receipts) {
    case 0:
      return phrase("simulator.outcome.no_receipt", params);
    case 1:
      return phrase("simulator.outcome", params);
    default:
      return phrase("simulator.outcome.twice", params);
  }
}

function address(text: string): string {
  return /^\d{7,}$/.test(text) ? `+${text}` : printable(text);
}

/** One line whatever the text holds. What could steer a terminal is escaped with the whole line. */
function printable(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "⏎");
}
