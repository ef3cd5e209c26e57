/** What the stand-in for the Cloud API can be told to do, with the defaults. */

/** A code that some posts meet, and how: as the answer to the post, or as a `failed` status after it was accepted. */
export type Failure = { readonly code: number; readonly share: number; readonly as: "answer" | "status" };

/** The settings of `bendre whatsapp-sim`. Shares are from 0 to 1. */
export type WhatsappSimSettings = {
  readonly port: number;
  /** Where statuses are posted; null: nowhere. */
  readonly webhook: string | null;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** All that happens by chance follows from it. */
  readonly seed: number;
  /** Share of statuses that are never sent. */
  readonly lose: number;
  /** Share of posts that are accepted and never answered. */
  readonly loseAnswers: number;
  /** Share of statuses that are sent twice. */
  readonly double: number;
  /** The most milliseconds added before a status is sent, drawn for each: statuses overtake each other. */
  readonly disorderMs: number;
  readonly failures: readonly Failure[];
  /** Users whose id at Meta is another number than the one that is written to. */
  readonly waIds: readonly (WaIdForm | "usual")[];
  /** Numbers that do not exist, or that no token may see, by their phone number ids. */
  readonly gone: readonly string[];
  /** Approximate delay from the answer to the handset, milliseconds. */
  readonly delayMs: number;
  /** Share of delivered messages that are read too; for a third of them only `read` is sent. */
  readonly read: number;
  /** Share of delivered messages that Meta does not bill. */
  readonly free: number;
  /** The most posts a second of one number; 0: no limit. */
  readonly throughput: number;
  /** The least milliseconds between two posts to one user; 0: no limit. */
  readonly pairMs: number;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly control: boolean;
};

export const SIM_DEFAULTS: WhatsappSimSettings = {
  port: 2776,
  webhook: null,
  appSecret: "simulated-app-secret",
  verifyToken: "simulated-verify-token",
  seed: 1,
  lose: 0,
  loseAnswers: 0,
  double: 0,
  disorderMs: 0,
  failures: [],
  waIds: [],
  gone: [],
  delayMs: 500,
  read: 0.3,
  free: 0,
  throughput: 80,
  pairMs: 6000,
  quiet: false,
  json: false,
  control: false,
};

// The ids of users in the stand-in: mostly the number that is written to, for some countries another form of it.

/** Numbers that begin with `from` are users whose id begins with `to` in its place; digits alone. */
type WaIdForm = { readonly from: string; readonly to: string };

/** The forms that Meta uses: Côte d'Ivoire and Benin as before their numbers grew, Mexico and Argentina a digit more, Brazil one less. */
const USUAL_FORMS: readonly (readonly [numbers: RegExp, waId: string])[] = [
  [/^225(?:01|05|07|21|25|27)(\d{8})$/, "225$1"],
  [/^22901(\d{8})$/, "229$1"],
  [/^52([2-9]\d{9})$/, "521$1"],
  [/^54([1-8]\d{9})$/, "549$1"],
  [/^55([1-9]\d)9(\d{8})$/, "55$1$2"],
];

/** "usual": the forms of these countries. "22670=2260": one of one's own. Null for anything else. */
export function parseWaIdForm(word: string): WaIdForm | "usual" | null {
  if (word === "usual") return word;
  const [, from, to] = /^\+?(\d{1,15})=\+?(\d{1,15})$/.exec(word) ?? [];
  return from === undefined || to === undefined ? null : { from, to };
}

/** The id of a user by the number that is written to, in digits: by the first form that fits. */
export function waIdOf(forms: readonly (WaIdForm | "usual")[], number: string): string {
  for (const form of forms) {
    if (form === "usual") {
      const [numbers, waId] = USUAL_FORMS.find(([each]) => each.test(number)) ?? [];
      if (numbers !== undefined && waId !== undefined) return number.replace(numbers, waId);
    } else if (number.startsWith(form.from)) {
      return `${form.to}${number.slice(form.from.length)}`;
    }
  }
  return number;
}
