/** What a shell completes: commands, verbs, flags, the values that a flag may have, files. Made from the table of commands. */
import type { Flag } from "../admin/command.ts";
import { renderHelp, renderSummary } from "./help-text.ts";
import type { LocalCommand } from "./local-command.ts";
import { type Invocable, listFlags, listNouns } from "./parse.ts";

type Script = (commands: readonly Invocable[]) => string;

const SHELLS: readonly (readonly [shell: string, script: Script])[] = [
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
];

/** The commands that print a script of completion; `all` is asked for when one is run. */
export function completionCommands(all: () => readonly Invocable[]): LocalCommand[] {
  return SHELLS.map(([shell, script]) => ({
    kind: "own",
    name: `completion ${shell}`,
    positionals: [],
    flags: [],
    run: async ({ io }) => {
      io.out(script(all()));
      return 0;
    },
  }));
}

/** The flags of a command; of one that reads its words itself none are known. */
function knownFlags(command: Invocable): readonly Flag[] {
  return command.takesAll ? [] : listFlags(command);
}

/** The verbs of a noun; none where it is a command of its own. */
function verbsOf(noun: string, commands: readonly Invocable[]): { verb: string; summary: string }[] {
  return commands.flatMap((command) => {
    const [first, verb] = command.name.split(" ");
    return first === noun && verb !== undefined ? [{ verb, summary: renderSummary(command, "en") }] : [];
  });
}

function nouns(commands: readonly Invocable[]): { noun: string; summary: string }[] {
  return listNouns(commands.map(({ name }) => name)).map((noun) => {
    const own = commands.find(({ name }) => name === noun);
    const verbs = verbsOf(noun, commands).map(({ verb }) => verb);
    return { noun, summary: own ? renderSummary(own, "en") : verbs.join(", ") };
  });
}

/** Whether a value or an argument of this meaning is the path of a file or a directory. */
function isPath(meaning: string): boolean {
  return ["FILE", "DIR", "KEYS"].includes(meaning);
}

function takesPath(command: Invocable): boolean {
  return command.positionals.some(({ name }) => isPath(name));
}

function bash(commands: readonly Invocable[]): string {
  const singles = commands.filter(({ name }) => !name.includes(" ")).map(({ name }) => name);
  const verbs = nouns(commands)
    .map(({ noun }) => [noun, verbsOf(noun, commands).map(({ verb }) => verb)] as const)
    .filter(([, known]) => known.length > 0)
    .map(([noun, known]) => `      ${noun}) words="${known.join(" ")}" ;;`);
  const cases = commands.map((command) => {
    const flags = knownFlags(command);
    const values = flags
      .filter((flag) => flag.value !== null)
      .map((flag) => {
        const found = flag.choices
          ? `words="${flag.choices.join(" ")}"`
          : isPath(flag.value ?? "")
            ? "files=1"
            : ":";
        return `        --${flag.name}) ${found} ;;`;
      });
    const rest = `words="${flags.map((flag) => `--${flag.name}`).join(" ")}"${takesPath(command) ? "; files=1" : ""}`;
    return [
      `    "${command.name}") case "$before" in`,
      ...values,
      `        *) ${rest} ;;`,
      "      esac ;;",
    ].join("\n");
  });
  return `# Completion of bendre for bash.
_bendre() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words="" files="" command=""
  local first="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words="${nouns(commands)
      .map(({ noun }) => noun)
      .join(" ")} --help --version"
  else
    case "$first" in
      ${singles.join("|")}) command="$first" ;;
      *) if ((COMP_CWORD > 2)); then command="$first \${COMP_WORDS[2]}"; fi ;;
    esac
  fi
  case "$command" in
    "") if ((COMP_CWORD == 2)); then case "$first" in
${verbs.join("\n")}
      esac; fi ;;
${cases.join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n "$files" && "$current" != -* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _bendre bendre
`;
}

/** In single quotes, as both zsh and fish read them; fish takes a backslash there too, so it is doubled. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "’")}'`;
}

function zsh(commands: readonly Invocable[]): string {
  const described = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([word, help]) => quoted(`${word}:${help}`)).join(" ");
  const verbs = nouns(commands)
    .map(({ noun }) => [noun, verbsOf(noun, commands)] as const)
    .filter(([, known]) => known.length > 0)
    .map(
      ([noun, known]) =>
        `      ${noun}) found=(${described(known.map(({ verb, summary }) => [verb, summary]))}) ;;`,
    );
  const singles = commands.filter(({ name }) => !name.includes(" ")).map(({ name }) => name);
  const cases = commands.map((command) => {
    const flags = knownFlags(command);
    const values = flags
      .filter((flag) => flag.value !== null)
      .map((flag) => {
        const found = flag.choices
          ? `compadd -- ${flag.choices.map(quoted).join(" ")}`
          : isPath(flag.value ?? "")
            ? "_files"
            : `_message ${quoted(renderHelp(command, flag, "en"))}`;
        return `        --${flag.name}) ${found}; return ;;`;
      });
    const all = described(flags.map((flag) => [`--${flag.name}`, renderHelp(command, flag, "en")]));
    const files = takesPath(command) ? '      [[ "$words[CURRENT]" != -* ]] && { _files; return; }\n' : "";
    return `    ${quoted(command.name)})\n      case "$words[CURRENT-1]" in\n${values.join("\n")}\n      esac\n${files}      found=(${all}) ;;`;
  });
  return `#compdef bendre
# Completion of bendre for zsh.
_bendre() {
  local command=""
  local -a found
  if (( CURRENT == 2 )); then
    found=(${described(nouns(commands).map(({ noun, summary }) => [noun, summary]))})
  else
    case "$words[2]" in
      ${singles.join("|")}) command="$words[2]" ;;
      *) (( CURRENT > 3 )) && command="$words[2] $words[3]" ;;
    esac
  fi
  case "$command" in
    "") (( CURRENT == 3 )) && case "$words[2]" in
${verbs.join("\n")}
      esac ;;
${cases.join("\n")}
  esac
  _describe bendre found
}
if [ "$funcstack[1]" = "_bendre" ]; then _bendre "$@"; else compdef _bendre bendre; fi
`;
}

function fish(commands: readonly Invocable[]): string {
  const lines = nouns(commands).flatMap(({ noun, summary }) => [
    `complete -c bendre -n '__bendre_after' -a ${noun} -d ${quoted(summary)}`,
    ...verbsOf(noun, commands).map(
      ({ verb, summary: help }) =>
        `complete -c bendre -n '__bendre_after ${noun}' -a ${verb} -d ${quoted(help)}`,
    ),
  ]);
  const flags = commands.flatMap((command) => [
    ...(takesPath(command) ? [`complete -c bendre -n '__bendre_in ${command.name}' -F`] : []),
    ...knownFlags(command).map((flag) => {
      const value = flag.choices
        ? ` -x -a ${quoted(flag.choices.join(" "))}`
        : flag.value === null
          ? ""
          : isPath(flag.value)
            ? " -r -F"
            : " -x";
      return `complete -c bendre -n '__bendre_in ${command.name}' -l ${flag.name}${value} -d ${quoted(renderHelp(command, flag, "en"))}`;
    }),
  ]);
  return `# Completion of bendre for fish.
# Whether exactly these words were typed after bendre.
function __bendre_after
    set -l typed (commandline -opc)
    test "$typed[2..]" = "$argv"
end
# Whether these words, and perhaps more, were.
function __bendre_in
    set -l typed (commandline -opc)
    test (count $typed) -gt (count $argv)
    and test "$typed[2..(math (count $argv) + 1)]" = "$argv"
end
complete -c bendre -f
${[...lines, ...flags].join("\n")}
`;
}
