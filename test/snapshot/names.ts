/** Names that scripts, files of configuration and eyes of administrators know, each list as the product has it. */

import { COMMANDS as CLI_COMMANDS } from "../../src/cli/commands.ts";
import { describeExpected } from "../../src/config/faults.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { ROUTES } from "../../src/console/server/routes/table.ts";
import { auditActions } from "../../src/console/ui/words/audit-words.ts";
import { SCOPES } from "../../src/domain/accounts/api-keys.ts";
import { MESSAGE_CLASSES } from "../../src/domain/accounts/message-class.ts";
import { listPermissions, ROLES } from "../../src/domain/accounts/roles.ts";
import { EVENT_TYPES } from "../../src/domain/events/outbox.ts";
import { MESSAGE_ERRORS, STATUSES } from "../../src/domain/messages/message-status.ts";
import { REJECTION_REASONS } from "../../src/domain/submission/rejections.ts";
import { WARNING_CODES } from "../../src/domain/submission/warnings.ts";
import { english } from "../../src/i18n/text.ts";
import { FAILURES } from "../../src/ingress/http/error-codes.ts";
import { RULE_NAMES } from "../../src/ops/alerts/rules.ts";
import alertRules from "../../src/ops/metrics/prometheus-rules.yml" with { type: "text" };

/** What was played, for names that stand nowhere else. */
export type PlayedNames = {
  /** `GET /health` as it was answered. */
  readonly health: string;
  /** Commands, each as it was typed and answered with the exit code behind it; what is none is passed over. */
  readonly typed: readonly string[];
};

/** Every list, each under its title. */
export function namesOf({ health, typed }: PlayedNames): string {
  const lists: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["settings: what they take, and their defaults", settings()],
    ["codes of the public API", Object.entries(FAILURES).map(([code, { status }]) => `${code} ${status}`)],
    ["event types", EVENT_TYPES],
    ["statuses of messages", STATUSES],
    ["errors of messages", Object.keys(MESSAGE_ERRORS)],
    ["reasons of rejection", REJECTION_REASONS],
    ["warnings", WARNING_CODES],
    ["classes", MESSAGE_CLASSES],
    ["scopes", SCOPES],
    ["health checks", healthChecks(health)],
    ["rules of alarms", RULE_NAMES],
    ["rules for Prometheus", [...alertRules.matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name)],
    ["audit actions", auditActions("en").map(({ value, label }) => `${value}: ${label}`)],
    ["audit actions in French", auditActions("fr").map(({ value, label }) => `${value}: ${label}`)],
    ["exit codes that were met", exitCodes(typed)],
    ["commands", CLI_COMMANDS.map(commandLine)],
    ["roles of the console", ROLES.map((role) => `${role}: ${listPermissions(role).join(", ")}`)],
    ["routes of the console", Object.keys(ROUTES).toSorted()],
  ];
  return lists.map(([title, lines]) => `# ${title}\n\n${lines.join("\n")}\n`).join("\n");
}

function settings(): string[] {
  return SETTINGS.map(({ table, key, shape }) => {
    const initial = shape.default === undefined ? "no default" : JSON.stringify(shape.default);
    const secret = shape.secret ? ", secret" : "";
    return `${table}.${key} = ${initial} (${english(describeExpected(shape))}${secret})`;
  });
}

function healthChecks(health: string): string[] {
  const { data } = JSON.parse(health) as { data: { checks: { name: string }[] } };
  return data.checks.map(({ name }) => name);
}

/** By command, those of the play, and which answers they came with. */
function exitCodes(typed: readonly string[]): string[] {
  const met = new Map<string, Set<string>>();
  for (const text of typed) {
    const [, line] = /^\$ bendre (.*)/.exec(text) ?? [];
    if (line === undefined) continue;
    const name =
      CLI_COMMANDS.find((command) => `${line} `.startsWith(`${command.name} `))?.name ?? "no command";
    const [, code = ""] = /^= (\d+)$/m.exec(text) ?? [];
    met.set(name, (met.get(name) ?? new Set()).add(code));
  }
  return [...met].map(([name, codes]) => `${name}: ${[...codes].toSorted().join(" ")}`).toSorted();
}

function commandLine({ name, positionals, flags }: (typeof CLI_COMMANDS)[number]): string {
  const places = positionals.map((place) => (place.isOptional ? `[${place.name}]` : place.name));
  const words = flags.map(({ name: flag, value, isRequired }) => {
    const written = value === null ? `--${flag}` : `--${flag} ${value}`;
    return isRequired ? written : `[${written}]`;
  });
  return [name, ...places, ...words].join(" ");
}
