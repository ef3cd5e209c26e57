import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import type { User } from "./bind-desk.ts";
import { PLAIN, type Quirks } from "./quirks.ts";

/** What `bendre smsc` was told. */
export type SmscSettings = {
  readonly port: number;
  readonly users: readonly User[];
  readonly defaultAlphabet: DefaultAlphabet;
  readonly quirks: Quirks;
  /** Paths of PEM files; TLS when both are there. */
  readonly tlsKey: string | null;
  readonly tlsCertificate: string | null;
  readonly quiet: boolean;
  readonly json: boolean;
  /** Takes commands on standard input. */
  readonly control: boolean;
  /** Refuses what breaks a rule of the protocol, and exits 3 when one was broken. */
  readonly strict: boolean;
};

export const DEFAULTS: SmscSettings = {
  port: 2775,
  users: [],
  defaultAlphabet: "gsm",
  quirks: { ...PLAIN, receiptDelayMs: 1000, receiptJitterMs: 500 },
  tlsKey: null,
  tlsCertificate: null,
  quiet: false,
  json: false,
  control: false,
  strict: false,
};
