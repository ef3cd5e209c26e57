/** What a change of the configuration does, and to whom, in words for whoever is about to make it. Pure. */
import type { ConfigChange } from "../config/changes.ts";

type Words = (change: ConfigChange, waiting: number) => string;

/** By the beginning of the key; the first that fits counts. */
const CONSEQUENCES: readonly { readonly key: RegExp; readonly words: Words }[] = [
  {
    key: /^server\.tls_/,
    words: () => "shown to new connections; those that stand end once they were answered",
  },
  {
    key: /^(policy|billing)\./,
    words: () => "for what comes from now on; accounts with a setting of their own keep it",
  },
  { key: /^webhooks\./, words: () => "for the next attempts to tell endpoints" },
  { key: /^log\./, words: () => "for the next line" },
  { key: /^operators\.[^.]+$/, words: operatorWords },
  {
    key: /^operators\.[^.]+\.price$/,
    words: () => "for what is accepted from now on; accounts with a price of their own keep it",
  },
  {
    key: /^operators\.[^.]+\.prefixes$/,
    words: () => "for what is accepted from now on; what was accepted keeps its operator",
  },
  { key: /\.connections\[\d+\]$/, words: connectionWords },
  {
    key: /\.connections\[\d+\]\.(password|tls_ca_file|tls_certificate|tls_key)$/,
    words: () => "with the next bind: a connection that is up stays up, one that is down tries at once",
  },
  {
    key: /\.connections\[\d+\]\.(tls|tls_server_name|system_type|address_\w*|interface_version)$/,
    words: () => "the connection waits for its answers, unbinds and binds anew",
  },
];

/** `waiting`: how many messages wait for the operator that the change is about. */
export function consequenceOf(change: ConfigChange, waiting: number): string {
  if (change.because !== null) return `waits for a restart: ${change.because}`;
  const known = CONSEQUENCES.find(({ key }) => key.test(change.path));
  return known ? known.words(change, waiting) : "from now on";
}

function operatorWords({ change }: ConfigChange, waiting: number): string {
  if (change === "added")
    return "its connections bind, and messages to its prefixes are accepted from now on";
  const left = waiting === 0 ? "nothing waits for it" : `${waiting} message(s) wait, within their validity`;
  return `${left}; nothing more is sent or accepted for it, answers that are due are waited for, then its connections unbind`;
}

function connectionWords({ change }: ConfigChange): string {
  return change === "added"
    ? "it binds at once"
    : "it sends nothing more, waits for the answers that are due, and unbinds";
}
