/** What the rules of alarms look at: all of it values, taken at one moment. */

import type { ClockDoubt } from "../../core/clock.ts";
import type { CheckStanding } from "../../domain/ledger/checks.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { CertificateEnd } from "../certificates.ts";
import type { LowWallet } from "./alarm-subjects.ts";
import type { DeliveryRate } from "./shares.ts";
import type { Traffic } from "./traffic.ts";

/** A connection to an operator, by its place in the operator's list. */
export type ObservedLink = {
  readonly operator: string;
  readonly connection: number;
  /** Null while it is bound. */
  readonly downSinceMs: number | null;
  readonly lastError: Phrase | null;
  /** What it answers while it takes no message; null where it took the last one, and before the first answer. */
  readonly refusing: {
    readonly answers: number;
    readonly sinceMs: number;
    readonly atMs: number;
    /** The last answer, as manuals write it and in words. */
    readonly code: string;
    readonly answer: string | Phrase;
  } | null;
};

/** A number of WhatsApp that Meta has stopped. */
export type StoppedNumber = {
  /** Its operator code. */
  readonly operator: string;
  readonly sinceMs: number;
  /** What Meta answered. */
  readonly error: string | Phrase;
};

/** A template that cannot be sent any more, as people name it. */
export type ObservedTemplate = {
  readonly template: string;
  readonly why: string | Phrase;
  readonly sinceMs: number;
};

/** Text without a template, of a class by a number, that has stopped. */
export type ObservedText = {
  readonly operator: string;
  readonly messageClass: string;
  readonly category: string;
  readonly sinceMs: number;
};

/** A template that Meta will move to another category, and when. */
export type ObservedMove = {
  readonly template: string;
  readonly category: string;
  readonly movesAtMs: number;
  readonly sinceMs: number;
};

/** A number of WhatsApp whose templates could not be read, and when they were. */
export type UnreadTemplates = {
  readonly operator: string;
  readonly readMs: number | null;
  readonly error: string | Phrase;
};

/** A country that a number of WhatsApp may not write to, by its calling code. */
export type ObservedCountryRefusal = {
  readonly operator: string;
  readonly country: string;
  readonly sinceMs: number;
};

export type Observation = {
  readonly nowMs: number;
  readonly startedMs: number;
  readonly links: readonly ObservedLink[];
  readonly stopped: readonly StoppedNumber[];
  readonly templates: readonly ObservedTemplate[];
  readonly texts: readonly ObservedText[];
  readonly moving: readonly ObservedMove[];
  readonly unread: readonly UnreadTemplates[];
  readonly countries: readonly ObservedCountryRefusal[];
  readonly traffic: readonly Traffic[];
  /** Since when the oldest of a class waits; a class of which none waits is absent. */
  readonly oldest: ReadonlyMap<string, number>;
  readonly shares: readonly DeliveryRate[];
  readonly disk: { readonly freeBytes: number; readonly reserveBytes: number } | null;
  readonly doubt: ClockDoubt | null;
  readonly books: { readonly standing: CheckStanding; readonly checkedAtMs: number | null };
  /** When the newest was made; of data that have none, when they began. */
  readonly backupAtMs: number;
  readonly drill: { readonly atMs: number; readonly failure: string | Phrase | null } | null;
  readonly certificates: readonly CertificateEnd[];
  /** Endpoints that fail again and again. */
  readonly endpoints: readonly { readonly id: string; readonly account: string }[];
  readonly wallets: readonly LowWallet[];
};
