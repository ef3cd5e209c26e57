import type { Flag } from "../admin/command.ts";
import { alignColumns } from "./columns.ts";
import { COMMON_FLAGS, type Invocable } from "./parse.ts";

/** How commands are called: one in full, several as a list, all when none is named. */
export function usageText(topic: readonly Invocable[], all: readonly Invocable[]): string {
  const [only] = topic;
  if (only && topic.length === 1) return usageOfOne(only);
  const listed = topic.length > 0 ? topic : all;
  const lines = alignColumns(listed.map(({ name, summary }) => [`  ${name}`, summary]));
  return [
    "usage: bendre COMMAND [ARGUMENTS] [FLAGS]",
    "",
    ...lines,
    "",
    'Say "bendre COMMAND --help" for one command, "bendre --version" for the version.',
    "",
  ].join("\n");
}

function usageOfOne(command: Invocable): string {
  const { name, summary, positionals, flags } = command;
  const words = [
    ...positionals.map((place) => placeText(place.name, flags)),
    ...flags
      .filter((flag) => flag.replaces === undefined)
      .map((flag) => (flag.isRequired ? flagText(flag) : `[${flagText(flag)}]`)),
  ];
  const lines = [`usage: bendre ${[name, ...words].join(" ")}`, "", summary];
  const described = [
    ...positionals.map((place) => [`  ${place.name}`, place.help]),
    ...[...flags, ...COMMON_FLAGS].map((flag) => [`  ${flagText(flag)}`, flagHelp(flag)]),
  ];
  return [...lines, "", ...alignColumns(described), ""].join("\n");
}

/** `ACCOUNT`, or `ACCOUNT|--everywhere` where a flag may stand in its place. */
function placeText(name: string, flags: readonly Flag[]): string {
  return [name, ...flags.filter((flag) => flag.replaces === name).map(flagText)].join("|");
}

function flagText(flag: Flag): string {
  return flag.value === null ? `--${flag.name}` : `--${flag.name} ${flag.choices?.join("|") ?? flag.value}`;
}

function flagHelp(flag: Flag): string {
  return flag.isRequired ? `${flag.help} (required)` : flag.help;
}
