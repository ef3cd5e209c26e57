/** What to write into the configuration for another operator, and whether the appliance would take it. Nothing is changed. */
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, serverNotRunning } from "./refusal.ts";

/** What an operator tells its client. */
type OperatorDraft = {
  /** What it is called in the configuration and in reports: letters, which become small, digits, `_` and `-`. */
  readonly code: string;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly system_id: string;
  /** How it is bound: once for both ways, or once to send and once to receive. */
  readonly bind: "transceiver" | "separate";
  /** `submit_sm` in flight at most, and a second at most. */
  readonly window: number;
  readonly throughput: number;
  /** Whether it tells of each message whether it arrived. */
  readonly receipts: boolean;
  /** Digits, with the country code or as people say them. */
  readonly prefixes: readonly string[];
  /** Whole XOF a segment; null: somebody else sets it, and until then only accounts with a price of their own send here. */
  readonly price: number | null;
};

type OperatorDraftView = {
  /** As the configuration has it. */
  readonly code: string;
  readonly text: string;
  /** The environment's variable that the password is read from. */
  readonly variable: string;
  readonly is_set: boolean;
  /** What is wrong with the file when the text is added, a phrase each; empty: it would be taken. */
  readonly faults: readonly Phrase[];
  /** Null where it is not known, because something is wrong. */
  readonly file: string | null;
  /** There is no file of that name yet: the text is to be the first of it. */
  readonly is_new_file: boolean;
};

/** Words an operator for the configuration file, with the password in the environment, and checks the file with it. */
export async function operatorDraft(
  { server, store, config }: AdminContext,
  asked: OperatorDraft,
): Promise<AdminOutcome<OperatorDraftView>> {
  if (!server) return serverNotRunning(store.directory);
  const code = asked.code.toLowerCase();
  const draft = { ...asked, code, prefixes: asked.prefixes.map((prefix) => withCallingCode(prefix, config)) };
  const variable = `${draft.code.toUpperCase().replaceAll("-", "_")}_SMPP_PASSWORD`;
  const text = textOf(draft, variable);
  const { configuration } = server;
  const notTaken = (faults: readonly Phrase[]) =>
    done({ code, text, variable, is_set: false, faults, file: null, is_new_file: false });
  const faults = besideOthers(configuration.inForce().config, draft);
  if (faults.length > 0) return notTaken(faults);
  const own = await configuration.read();
  if (own.ok && Object.hasOwn(own.config.operators, code)) {
    return notTaken([phrase("config.draft.in_file", { code })]);
  }
  const read = await configuration.read({ more: `\n${text}` });
  if (!read.ok) return notTaken(read.faults);
  const isSet = !read.unset.some((one) => one.variable === variable);
  const isNew = read.isMissing === true;
  return done({ code, text, variable, is_set: isSet, faults: [], file: read.path, is_new_file: isNew });
}

/** What the draft takes that another operator has. */
function besideOthers({ operators }: AdminContext["config"], { code, prefixes }: OperatorDraft): Phrase[] {
  if (Object.hasOwn(operators, code)) return [phrase("config.draft.known", { code })];
  return Object.entries(operators).flatMap(([other, { name, prefixes: own }]) => {
    const taken = prefixes.filter((prefix) => own.includes(prefix));
    if (taken.length === 0) return [];
    return [phrase("config.draft.prefixes_taken", { name, code: other, prefixes: taken.join(", ") })];
  });
}

/** The longest that a national prefix is: those of Burkina Faso have two digits. */
const NATIONAL_DIGITS = 3;

/** A prefix as the configuration has it: one as people say it, `05`, gets the calling code of the appliance's region. */
export function withCallingCode(prefix: string, { defaults: { region } }: AdminContext["config"]): string {
  const code = isSupportedCountry(region) ? getCountryCallingCode(region) : "";
  return prefix.length > NATIONAL_DIGITS || prefix.startsWith(code) ? prefix : `${code}${prefix}`;
}

/** Strings of JSON are basic strings of TOML (TOML 1.0, "String"). */
const quoted = (value: string): string => JSON.stringify(value);

function textOf(
  { code, name, host, port, system_id, prefixes, price, bind, window, throughput, receipts }: OperatorDraft,
  variable: string,
): string {
  const binds = bind === "separate" ? ["transmitter", "receiver"] : ["transceiver"];
  const connections = binds.map(
    (kind) => `
[[operators.${code}.connections]]
host = ${quoted(host)}
port = ${port}
system_id = ${quoted(system_id)}
password = "\${${variable}}"
bind = ${quoted(kind)}
window = ${window}
throughput = ${throughput}
`,
  );
  return `[operators.${code}]
name = ${quoted(name)}
prefixes = [${prefixes.map(quoted).join(", ")}]
${price === null ? "# price =" : `price = ${price}`}
${receipts ? "" : "receipts = false\n"}${connections.join("")}`;
}
