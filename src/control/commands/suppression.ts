import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../accounts/classes.ts";
import { SUPPRESSION_SOURCES, type SuppressionSource } from "../../accounts/suppressions.ts";
import { type AdminOutcome, done, refuse } from "../../operations/refusal.ts";
import { suppressionImport } from "../../operations/suppression-import.ts";
import {
  suppressionAdd,
  suppressionList,
  suppressionRemove,
  type WhoseList,
} from "../../operations/suppressions.ts";
import { readWhole } from "../../operations/typed-values.ts";
import {
  ACCOUNT,
  type AdminCommand,
  type Args,
  type Flag,
  needed,
  optional,
  type Positional,
} from "../command.ts";
import { MODE_FLAG, readMode } from "./mode.ts";

const MSISDN: Positional = { name: "MSISDN" };
const EVERYWHERE: Flag = {
  name: "everywhere",
  value: null,
  replaces: ACCOUNT.name,
};
const MODE: Flag = { ...MODE_FLAG };
const SOURCE: Flag = {
  name: "source",
  value: "SOURCE",
  told: { sources: SUPPRESSION_SOURCES.join(", ") },
};
const ALL = "all";
const CLASS: Flag = {
  name: "class",
  value: "CLASS",
  told: { classes: MESSAGE_CLASSES.join(", ") },
  isRequired: true,
};
/** A file that names no class lists people who want no more advertising; one-time passwords they still need. */
const USUAL_IMPORT_CLASS = "MARKETING";
const USUAL_NUMBERS = "1000";

export const SUPPRESSION_COMMANDS: readonly AdminCommand[] = [
  {
    name: "suppression add",
    positionals: [ACCOUNT, MSISDN],
    flags: [EVERYWHERE, CLASS, { name: "note", value: "TEXT" }, MODE],
    run: (context, args) => {
      const list = listOf(args);
      if (!list.ok) return list;
      const messageClass = readClass(needed(args, CLASS.name));
      if (!messageClass.ok) return messageClass;
      return suppressionAdd(context, list.value, {
        msisdn: needed(args, MSISDN.name),
        messageClass: messageClass.value,
        note: optional(args, "note"),
      });
    },
  },
  {
    name: "suppression remove",
    positionals: [ACCOUNT, MSISDN],
    flags: [EVERYWHERE, CLASS, SOURCE, MODE],
    run: (context, args) => {
      const list = listOf(args);
      if (!list.ok) return list;
      const messageClass = readClass(needed(args, CLASS.name));
      if (!messageClass.ok) return messageClass;
      const source = readSource(optional(args, SOURCE.name));
      if (!source.ok) return source;
      return suppressionRemove(context, list.value, {
        msisdn: needed(args, MSISDN.name),
        messageClass: messageClass.value,
        source: source.value,
      });
    },
  },
  {
    name: "suppression import",
    positionals: [
      ACCOUNT,
      {
        name: "FILE",
        isFile: true,
      },
    ],
    flags: [
      EVERYWHERE,
      { ...CLASS, isRequired: false, told: { usual: USUAL_IMPORT_CLASS } },
      { name: "skip-invalid", value: null },
      MODE,
    ],
    run: (context, args) => {
      const list = listOf(args);
      if (!list.ok) return list;
      const messageClass = readClass(optional(args, CLASS.name) ?? USUAL_IMPORT_CLASS);
      if (!messageClass.ok) return messageClass;
      return suppressionImport(context, list.value, {
        text: needed(args, "FILE"),
        messageClass: messageClass.value,
        skipInvalid: args["skip-invalid"] !== undefined,
      });
    },
  },
  {
    name: "suppression list",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [
      EVERYWHERE,
      { name: "after", value: "MSISDN" },
      { name: "limit", value: "N", told: { usual: USUAL_NUMBERS } },
      { name: "csv", value: null },
      MODE,
    ],
    csv: [{ rows: "suppressions", columns: ["msisdn", "message_class", "source", "created_at", "note"] }],
    run: (context, args) => {
      const list = listOf(args);
      if (!list.ok) return list;
      const limit = readWhole(optional(args, "limit") ?? USUAL_NUMBERS);
      if (!limit.ok) return limit;
      return suppressionList(context, list.value, optional(args, "after"), limit.value);
    },
  },
];

/** Whose list is meant. */
function listOf(args: Args): AdminOutcome<WhoseList> {
  const mode = readMode(args);
  if (!mode.ok) return mode;
  if (args[EVERYWHERE.name] === undefined)
    return done({ account: needed(args, ACCOUNT.name), mode: mode.value });
  return mode.value === "live" ? done(null) : refuse("INVALID_MODE.everywhere");
}

/** A source in capital or small letters; null: every source. */
function readSource(text: string | null): AdminOutcome<SuppressionSource | null> {
  if (text === null) return done(null);
  const found = SUPPRESSION_SOURCES.find((source) => source === text.trim().toUpperCase());
  if (found) return done(found);
  return refuse("INVALID_SOURCE", { text, known: SUPPRESSION_SOURCES.join(", ") });
}

/** A class in capital or small letters; null: every class. */
function readClass(text: string): AdminOutcome<MessageClass | null> {
  const name = text.trim().toUpperCase();
  if (name === ALL.toUpperCase()) return done(null);
  if (isMessageClass(name)) return done(name);
  return refuse("INVALID_CLASS.or_all", { text, known: MESSAGE_CLASSES.join(", "), all: ALL });
}
