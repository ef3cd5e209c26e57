/** Command `bendre whatsapp-sim`: prints the events of the stand-in for Meta's Cloud API, and takes typed commands. */
import { errorText } from "../../core/log.ts";
import { escapeControls, escapeLines, printableJson } from "../../core/terminal-text.ts";
import { EXACT_ENGLISH, type Phrase, phrase } from "../../i18n/phrase.ts";
import { english, withTexts } from "../../i18n/text.ts";
import { runTypedCommands, type SmscIo } from "../run-smsc.ts";
import type { Say } from "../usage.ts";
import { USUAL } from "./cloud.ts";
import { parseSimInvocation, simUsage } from "./invocation.ts";
import { type SimEvent, startWhatsappSim, type WhatsappSim } from "./server.ts";
import type { WhatsappSimSettings } from "./settings.ts";
import { runSimCommand } from "./typed-commands.ts";

/** What the command sees of its process. */
export type SimIo = Pick<SmscIo, "out" | "err" | "clock" | "untilStop" | "input" | "endInput" | "say">;

/**
 * `bendre whatsapp-sim`: runs the stand-in for the Cloud API until it is told to stop. Resolves with the exit code: 0, 1 when
 * the port cannot be had, 2 for a wrong invocation.
 */
export async function runWhatsappSim(words: readonly string[], io: SimIo): Promise<number> {
  const invocation = parseSimInvocation(words);
  switch (invocation.kind) {
    case "help":
      io.out(simUsage(io.say));
      return 0;
    case "wrong":
      io.err(`${simUsage(io.say)}\nbendre whatsapp-sim: ${escapeLines(sayFor(io)(invocation.problem))}\n`);
      return 2;
    case "run":
      return run(invocation.settings, io);
  }
}

async function run(settings: WhatsappSimSettings, io: SimIo): Promise<number> {
  const onEvent = (event: SimEvent): void => {
    const line = lineFor(event, settings, sayFor(io));
    if (line !== null) io.out(`${line}\n`);
    if (event.kind === "listening" && !settings.json) io.out(`${configurationFor(settings, event.port)}\n`);
  };
  const stopAsked = io.untilStop();
  let sim: WhatsappSim;
  try {
    sim = startWhatsappSim({ clock: io.clock, settings, onEvent });
  } catch (error) {
    const problem = phrase("simulator.port_taken", { port: settings.port, error: errorText(error) });
    io.err(`bendre whatsapp-sim: ${sayFor(io)(problem)}\n`);
    return 1;
  }
  const endTyping = settings.control ? runTypedCommands(io, (line) => runSimCommand(sim, line)) : null;
  await stopAsked;
  endTyping?.();
  await sim.stop();
  return 0;
}

/** The lines of a configuration that fit a stand-in on a port. */
function configurationFor(
  {
    appSecret,
    verifyToken,
    throughput,
  }: Pick<WhatsappSimSettings, "appSecret" | "verifyToken" | "throughput">,
  port: number,
): string {
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

function sayFor({ say = english }: SimIo): Say {
  return say;
}

function lineFor(event: SimEvent, { quiet, json }: WhatsappSimSettings, say: Say): string | null {
  if (quiet && event.kind !== "listening" && event.kind !== "stopped") return null;
  return json ? printableJson(withTexts(event, EXACT_ENGLISH)) : renderSimEvent(event, say);
}

/** An event as a person watching reads it. */
export function renderSimEvent(event: SimEvent, say: (line: Phrase) => string = english): string {
  return `${new Date(event.atMs).toISOString().slice(11, 23)}  ${escapeControls(say(lineOf(event)))}`;
}

function lineOf(event: SimEvent): Phrase {
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
