/** Command `bendre whatsapp-sim`: what it prints of the events of the stand-in for Meta's Cloud API. */
import { EXACT_ENGLISH, type Phrase, phrase } from "../../i18n/phrase.ts";
import { withTexts } from "../../i18n/text.ts";
import { obeyLine, runSimulator, type SimulatorIo } from "../command.ts";
import { USUAL } from "./cloud.ts";
import { parseSimInvocation, simUsage } from "./invocation.ts";
import { type SimEvent, startWhatsappSim } from "./server.ts";
import type { WhatsappSimSettings } from "./settings.ts";
import { SIM_COMMANDS } from "./typed-commands.ts";

/**
 * `bendre whatsapp-sim`: runs the stand-in for the Cloud API until it is told to stop. Resolves with the exit code: 0, 1 when
 * the port cannot be had, 2 for a wrong invocation.
 */
export function runWhatsappSim(words: readonly string[], io: Omit<SimulatorIo, "chance">): Promise<number> {
  const { clock, out } = io;
  return runSimulator(
    {
      name: "whatsapp-sim",
      read: parseSimInvocation,
      usage: simUsage,
      start: async (settings: WhatsappSimSettings, onEvent: (event: SimEvent) => void) =>
        startWhatsappSim({
          clock,
          settings,
          onEvent: (event) => {
            onEvent(event);
            if (event.kind === "listening" && !settings.json)
              out(`${configurationFor(settings, event.port)}\n`);
          },
        }),
      lines: (event) => [simLine(event)],
      document: (event) => withTexts(event, EXACT_ENGLISH),
      obey: (sim, line) => obeyLine(SIM_COMMANDS, sim, line),
    },
    words,
    io,
  );
}

/** The lines of a configuration that fit a stand-in on a port. */
function configurationFor({ appSecret, verifyToken, throughput }: WhatsappSimSettings, port: number): string {
  return [
    "",
    "[whatsapp]",
    `api = "http://127.0.0.1:${port}"`,
    `app_secret = ${JSON.stringify(appSecret)}`,
    `verify_token = ${JSON.stringify(verifyToken)}`,
    "",
    "[whatsapp.numbers.main]",
    `phone_number_id = "${USUAL.phone}"`,
    `waba_id = "${USUAL.waba}"`,
    `token = "${USUAL.token}"`,
    "price = { OTP = 6, TRANSACTIONAL = 5, MARKETING = 21 }",
    ...(throughput >= 1 && throughput <= 1000 ? [`throughput = ${throughput}`] : []),
    "",
  ].join("\n");
}

/** What a person reads of an event. */
export function simLine(event: SimEvent): Phrase {
  switch (event.kind) {
    case "listening":
      return phrase("simulator.listening", { address: `127.0.0.1:${event.port}` });
    case "post": {
      const to = event.to === "" ? "?" : `+${event.to}`;
      const { code, text } = event;
      if (code !== null) return phrase("simulator.post.refused", { to, code });
      return event.isAnswered
        ? phrase("simulator.post.accepted", { to, text })
        : phrase("simulator.post.unanswered", { to, text });
    }
    case "verified":
      return phrase("simulator.webhook.verified");
    case "unverified":
      return phrase("simulator.webhook.unverified", { why: event.why });
    case "told":
      return phrase("simulator.webhook.told", { statuses: event.statuses });
    case "untaken":
      return phrase("simulator.webhook.untaken", { why: event.why });
    case "stopped": {
      const { posts, accepted, refused, unanswered, statusesTold, statusesWaiting } = event.counts;
      return phrase("simulator.stopped.posts", {
        posts,
        accepted,
        refused,
        unanswered,
        told: statusesTold,
        waiting: statusesWaiting,
      });
    }
  }
}
