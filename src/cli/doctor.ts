/** `bendre doctor` (docs/administration.md#doctor). */
import { systemClock } from "../core/clock.ts";
import { escapeControls, wrapText } from "../core/terminal-text.ts";
import { EXACT_ENGLISH, type Phrase, phrase, type Reader } from "../i18n/phrase.ts";
import { renderTo, withTexts } from "../i18n/text.ts";
import type { ServerReply } from "../ops/doctor/doctor.ts";
import type { DoctorCheck } from "../ops/doctor/environment-checks.ts";
import type { ServerView } from "../ops/doctor/server-checks.ts";
import type { LocalCommand, LocalInvocation } from "./local-command.ts";
import { type Display, printJson, toDisplay, toTextReader } from "./terminal.ts";

/** Every part of the installation looked at, with what to do about each (docs/administration.md#doctor). */
export const DOCTOR: LocalCommand = {
  kind: "own",
  name: "doctor",
  positionals: [],
  flags: [],
  run: async (invocation) => {
    const { io, configPath, json } = invocation;
    const { loadConfig } = await import("../config/load-config.ts");
    const { doctor } = await import("../ops/doctor/doctor.ts");
    const { systemPlatform } = await import("../app/platform.ts");
    const loaded = await loadConfig(configPath, io.env, "a warning");
    const deps = { clock: systemClock, machine: systemPlatform };
    const checks = await doctor(configPath, loaded, (directory) => ask(invocation, directory), deps);
    if (json) printJson(io, { data: withTexts({ checks }, EXACT_ENGLISH) });
    else io.out(report(checks, toDisplay(io), toTextReader(io)));
    return checks.some(({ status }) => status === "error") ? 1 : 0;
  },
};

async function ask({ io }: LocalInvocation, directory: string): Promise<ServerReply> {
  const { askServer } = await import("../admin/control-client.ts");
  const { deriveActor } = await import("./actor.ts");
  const answer = await askServer(directory, { command: "server view", args: {}, actor: deriveActor(io.env) });
  if (answer === null) return null;
  return answer.ok ? (answer.value as ServerView) : { refused: answer.refusal.detail };
}

const ORDER: readonly DoctorCheck["status"][] = ["ok", "warning", "error"];

/** What is worst comes last: that is where a person looks. */
function report(checks: readonly DoctorCheck[], look: Display, reader: Reader): string {
  const found = Map.groupBy(checks, ({ status }) => status);
  const sorted = ORDER.flatMap((status) => found.get(status) ?? []);
  const [errors, warnings] = [found.get("error")?.length ?? 0, found.get("warning")?.length ?? 0];
  const sum = renderTo(
    reader,
    errors + warnings === 0
      ? phrase("doctor.well", { checks: checks.length })
      : phrase("doctor.ill", { checks: checks.length, errors, warnings }),
  );
  const blocks = sorted.map((check) => blockOf(check, look, reader));
  return `${blocks.join("\n")}\n\n${errors > 0 ? look.paint.problem(sum) : sum}\n`;
}

/** How far the second line of something stands in. */
const INDENT = "  ";

function blockOf(
  { name, status, detail, action }: DoctorCheck,
  { width, paint }: Display,
  reader: Reader,
): string {
  // Control characters of what was read are shown, not obeyed.
  const spoken = (phrase: Phrase): string => escapeControls(renderTo(reader, phrase));
  const standing = phrase("cli.label", { name: renderTo(reader, phrase(`doctor.standing.${status}`)) });
  const what = `${spoken(standing)} ${spoken(name)} – ${spoken(detail)}`;
  const lines = [what, ...(action === null ? [] : [`→ ${spoken(action)}`])];
  const room = width === null ? null : width - INDENT.length;
  const folded = lines.flatMap((line) => (room === null ? [line] : wrapText(line, room)));
  const block = folded.map((line, at) => (at === 0 ? line : `${INDENT}${line}`)).join("\n");
  return status === "error" ? paint.problem(block) : status === "warning" ? paint.head(block) : block;
}
