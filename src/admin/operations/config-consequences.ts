/** What a change of the configuration does, and to whom, in words for whoever is about to make it. Pure. */
import type { ConfigChange } from "../../config/changes.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

type Words = (change: ConfigChange, waiting: number) => Phrase;

/** By the beginning of the key; the first that fits counts. */
const CONSEQUENCES: readonly { readonly key: RegExp; readonly words: Words }[] = [
  {
    key: /^server\.tls_/,
    words: () => phrase("config.change.server_tls"),
  },
  {
    key: /^(policy|billing)\./,
    words: () => phrase("config.change.account_settings"),
  },
  { key: /^webhooks\./, words: () => phrase("config.change.webhooks") },
  { key: /^log\./, words: () => phrase("config.change.log") },
  { key: /^operators\.[^.]+$/, words: operatorWords },
  {
    key: /^operators\.[^.]+\.price$/,
    words: () => phrase("config.change.price"),
  },
  {
    key: /^operators\.[^.]+\.prefixes$/,
    words: () => phrase("config.change.prefixes"),
  },
  { key: /\.connections\[\d+\]$/, words: connectionWords },
  {
    key: /\.connections\[\d+\]\.(password|tls_ca_file|tls_certificate|tls_key)$/,
    words: () => phrase("config.change.next_bind"),
  },
  {
    key: /\.connections\[\d+\]\.(tls|tls_server_name|system_type|address_\w*|interface_version)$/,
    words: () => phrase("config.change.binds_anew"),
  },
];

/** `waiting`: how many messages wait for the operator that the change is about. */
export function describeConsequence(change: ConfigChange, waiting: number): Phrase {
  if (change.because !== null) return phrase("config.change.waits", { because: change.because });
  const known = CONSEQUENCES.find(({ key }) => key.test(change.path));
  return known ? known.words(change, waiting) : phrase("config.change.now");
}

function operatorWords({ change }: ConfigChange, waiting: number): Phrase {
  if (change === "added") return phrase("config.change.operator_comes");
  return waiting === 0
    ? phrase("config.change.operator_goes")
    : phrase("config.change.operator_goes.waiting", { waiting });
}

function connectionWords({ change }: ConfigChange): Phrase {
  return phrase(change === "added" ? "config.change.connection_comes" : "config.change.connection_goes");
}
