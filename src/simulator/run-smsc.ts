/** Command `bendre smsc`: what it prints of the simulated operator's events, for people or as JSON. */
import { readFile } from "node:fs/promises";
import { errorText } from "../core/log.ts";
import { EXACT_ENGLISH, type Phrase, phrase, said } from "../i18n/phrase.ts";
import { english, withTexts } from "../i18n/text.ts";
import { STATUS, statusLabel } from "../smpp/status.ts";
import { obeyLine, runSimulator, SIMULATOR_PROCESS, type SimulatorIo, warningLog } from "./command.ts";
import type { SmscEvent, SmscStats } from "./events.ts";
import type { SmscSettings } from "./flags.ts";
import { parseSmscInvocation, smscUsage } from "./invocation.ts";
import { type SmscOptions, startSmsc } from "./server.ts";
import { CONTROL_COMMANDS } from "./typed-commands.ts";

const BROKEN_RULES = 3;

/**
 * `bendre smsc`: runs the simulated operator until it is told to stop. Resolves with the exit code: 0, 1 when the
 * port or a file cannot be had, 2 for a wrong invocation, 3 when --strict saw rules broken.
 */
export function runSmsc(words: readonly string[], io: SimulatorIo = SIMULATOR_PROCESS): Promise<number> {
  const { clock, chance } = io;
  return runSimulator(
    {
      name: "smsc",
      read: parseSmscInvocation,
      usage: smscUsage,
      start: async (settings: SmscSettings, onEvent: (event: SmscEvent) => void) => {
        const tls = await tlsOf(settings).catch((error: unknown) => said(errorText(error)));
        if (tls !== null && "code" in tls) return tls;
        return startSmsc({
          ...settings,
          isStrict: settings.strict,
          clock,
          chance,
          log: warningLog(io),
          tls,
          onEvent,
        });
      },
      lines: smscLines,
      document: eventDocument,
      obey: (smsc, line) => obeyLine(CONTROL_COMMANDS, smsc, line),
      exitCode: ({ strict }, smsc) => (strict && smsc.stats().violations > 0 ? BROKEN_RULES : 0),
    },
    words,
    io,
  );
}

async function tlsOf({
  tlsKey,
  tlsCertificate,
}: SmscSettings): Promise<NonNullable<SmscOptions["tls"]> | null> {
  if (tlsKey === null || tlsCertificate === null) return null;
  return { key: await readFile(tlsKey, "utf8"), certificate: await readFile(tlsCertificate, "utf8") };
}

/** An event as a document for a program, in English. */
function eventDocument(event: SmscEvent): unknown {
  if (event.kind !== "stopped") return withTexts(event, EXACT_ENGLISH);
  const { broken, ...stats } = event.stats;
  const violationsByKind = Object.fromEntries(broken.map(({ what, times }) => [english(what), times]));
  return { ...event, stats: { ...stats, violationsByKind } };
}

/** What a person reads of an event; nothing of one that would only be noise. */
export function smscLines(event: SmscEvent): readonly Phrase[] {
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

/** The summary of the whole run, the broken rules last. */
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

/** The lines of a submit that did not simply succeed; the text itself is shown when a handset has it. */
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

/** Makes a text one printable line. If it holds terminal control characters, the whole line is escaped. */
function printable(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "⏎");
}
