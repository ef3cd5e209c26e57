/** Commands out of operations: their words and flags are the operations' parameters. */

import type { AdminCommand, Args, Flag, Positional } from "./command.ts";
import type { AdminContext } from "./operations/context.ts";
import type { AnyOperation, Operations, Parameter, Parameters } from "./operations/operation.ts";
import { type AdminOutcome, done } from "./operations/refusal.ts";

/** What is special of an operation on a terminal. */
export type CommandPresentation = Pick<
  AdminCommand,
  "csv" | "isPaged" | "pagedBy" | "table" | "file" | "isWatchable" | "exitCode"
> & {
  /** Rows that are asked for with `--csv` where `--limit` says nothing else. */
  readonly csvLimit?: number;
};

const CSV: Flag = { name: "csv", value: null };
const WATCH: Flag = { name: "watch", value: null };

/** The commands of a table of operations. */
export function deriveCommands<Defined extends Operations>(
  operations: Defined,
  shown: { readonly [Name in keyof Defined]?: CommandPresentation } = {},
): AdminCommand[] {
  return Object.entries(operations).map(([name, operation]) => deriveCommand(name, operation, shown[name]));
}

function deriveCommand(name: string, operation: AnyOperation, shown: CommandPresentation = {}): AdminCommand {
  const { params, does = "changes", needsServer } = operation;
  const { csvLimit, ...rest } = shown;
  const given = Object.entries(params);
  const surface = [...(shown.csv ? [CSV] : []), ...(shown.isWatchable ? [WATCH] : [])];
  return {
    name,
    positionals: given.flatMap(([, parameter]) => toPositional(parameter, params)),
    flags: [...given.flatMap(([key, parameter]) => toFlag(key, parameter)), ...surface],
    does:
      typeof does === "string"
        ? does
        : (args) => does((key) => args[toArgumentName(key, params[key])] !== undefined),
    ...(needsServer === undefined ? {} : { needsServer }),
    ...rest,
    run: (context, args) => {
      const isLong = csvLimit !== undefined && args.csv !== undefined && args.limit === undefined;
      return runTyped(context, operation, isLong ? { ...args, limit: String(csvLimit) } : args);
    },
  };
}

async function runTyped(
  context: AdminContext,
  operation: AnyOperation,
  args: Args,
): Promise<AdminOutcome<unknown>> {
  const values = readTyped(operation.params, args);
  return values.ok ? operation.run(context, values.value) : values;
}

/** What was typed, as values; the first that cannot be read is refused. */
function readTyped(params: Parameters, args: Args): AdminOutcome<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(params)) {
    const inPlace = flagInPlaceOf(parameter, params);
    const isReplaced = inPlace !== undefined && args[inPlace] !== undefined;
    const typed = isReplaced ? undefined : args[toArgumentName(key, parameter)];
    const mayBeMissing = inPlace === undefined || isReplaced;
    if (typed === undefined && mayBeMissing && parameter.otherwise !== undefined) {
      values[key] = parameter.otherwise.value;
      continue;
    }
    // A word in whose place a flag stands is not there; what must be given is there, or the parser refused.
    const value = parameter.typed.read(typed ?? "");
    if (!value.ok) return value;
    values[key] = value.value;
  }
  return done(values);
}

/** The flag that may stand in place of a word: the word is left out where that is given, and only there. */
function flagInPlaceOf({ typed: { word } }: Parameter<unknown>, params: Parameters): string | undefined {
  if (word === undefined) return undefined;
  const found = Object.entries(params).find(([, { typed }]) => typed.replaces === word);
  return found && toArgumentName(...found);
}

/** What an argument is called among those that were typed. */
function toArgumentName(key: string, parameter: Parameter<unknown> | undefined): string {
  return parameter?.typed.word ?? parameter?.typed.flag ?? key.replaceAll("_", "-");
}

function toPositional(parameter: Parameter<unknown>, params: Parameters): Positional[] {
  const { word, told, isFile, isPath } = parameter.typed;
  if (word === undefined) return [];
  return [
    {
      name: word,
      ...(told && { told }),
      ...(isFile && { isFile }),
      ...(isPath && { isPath }),
      ...(parameter.otherwise && flagInPlaceOf(parameter, params) === undefined && { isOptional: true }),
    },
  ];
}

function toFlag(key: string, parameter: Parameter<unknown>): Flag[] {
  const { word, value, told, choices, excludes, replaces, isUnlisted } = parameter.typed;
  if (word !== undefined || isUnlisted) return [];
  return [
    {
      name: toArgumentName(key, parameter),
      value,
      ...(told && { told }),
      ...(choices && { choices }),
      ...(excludes && { excludes }),
      ...(replaces && { replaces }),
      ...(parameter.otherwise === undefined && { isRequired: true }),
    },
  ];
}
