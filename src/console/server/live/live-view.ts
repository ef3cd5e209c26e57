/** Types of what the start pages show, streamed once a second. */
import type { Phrase } from "../../../i18n/phrase.ts";
export type LiveConnection = {
  readonly operator: string;
  /** Its index in the operator's list; 0 for a WhatsApp number, which is one by itself. */
  readonly connection: number;
  readonly state: string;
  /** Since when it is paused, else bound, else down. */
  readonly since: string | null;
  /** `submit_sm` sent in the last second, and how many the operator grants. */
  readonly sent_last_second: number;
  readonly rate: number;
  readonly in_flight: number;
  readonly window: number;
  readonly paused: string | null;
  /** When the next attempt is due; null where none is. */
  readonly next_attempt_at: string | null;
  readonly last_error: Phrase | null;
  /** Its answer while it takes no message, and how often in a row; null where it took the last one. */
  readonly refusing: { readonly code: string; readonly answer: string; readonly answers: number } | null;
};

export type LiveQueue = {
  readonly operator: string;
  readonly message_class: string;
  readonly messages: number;
  /** Those of them that the operator postponed. */
  readonly postponed: number;
  readonly oldest_at: string | null;
};

/** Share delivered of those that ended; null where none did. */
export type LiveShare = {
  readonly operator: string;
  readonly last_hour: number | null;
  readonly last_week: number | null;
};

export type LiveAlert = {
  readonly rule: string;
  /** What it is about; "" where there is only one. */
  readonly subject: string;
  readonly title: string;
  readonly detail: string;
  readonly advice: string;
  readonly since: string;
};

/** Something wrong that no alert has reported: alerts have a delay, and may be switched off. */
export type LiveTrouble =
  /** Paused by somebody; `connection`: null where all of the operator is. */
  | {
      readonly kind: "PAUSED";
      readonly operator: string;
      readonly connection: number | null;
      /** The reason as it was typed. */
      readonly why: string;
      /** When the next attempt is due; null where none is. */
      readonly next_attempt_at: string | null;
    }
  /** It takes no message: what it answers, as manuals write it and in words. */
  | {
      readonly kind: "REFUSING";
      readonly operator: string;
      readonly connection: number | null;
      readonly code: string;
      readonly answer: string;
      /** When the next attempt is due; null where none is. */
      readonly next_attempt_at: string | null;
    }
  | {
      readonly kind: "DOWN";
      readonly operator: string;
      readonly connection: number | null;
      /** The last error. */
      readonly why: Phrase | null;
      /** When the next attempt is due; null where none is. */
      readonly next_attempt_at: string | null;
    }
  /** Messages that the operator postpones again and again. */
  | { readonly kind: "PUT_OFF"; readonly operator: string; readonly messages: number }
  /** Orphaned messages: of an operator that the configuration does not have. */
  | { readonly kind: "STRAY"; readonly operator: string; readonly messages: number }
  /** Findings of `GET /health`. */
  | {
      readonly kind: "CHECK";
      readonly check: string;
      readonly found: Phrase;
      readonly action: Phrase | null;
    };

export type StaffLive = {
  readonly kind: "staff";
  readonly at: string;
  /** Names of operators by code. */
  readonly names: Readonly<Record<string, string>>;
  readonly connections: readonly LiveConnection[];
  readonly queues: readonly LiveQueue[];
  readonly shares: readonly LiveShare[];
  /** Charged since midnight of the appliance's zone; null for those who see no money. */
  readonly charged_today: number | null;
  readonly messages_today: number | null;
  readonly alarms: readonly LiveAlert[];
  readonly troubles: readonly LiveTrouble[];
};

export type LiveBatch = {
  readonly batch_id: string;
  readonly reference: string | null;
  readonly status: string;
  readonly created_at: string;
  readonly total: number;
  readonly delivered: number;
  readonly failed: number;
};

/** Something that account users should do, or know before they send. */
export type LiveNotice =
  /** Texts to its numbers wait. */
  | { readonly kind: "PAUSED"; readonly operator: string; readonly since: string }
  /** What these senders send over WhatsApp waits. */
  | { readonly kind: "NUMBER_PAUSED"; readonly senders: readonly string[]; readonly since: string }
  | { readonly kind: "SENDER_PENDING"; readonly sender: string }
  /** Approved, but not registered with these operators. */
  | { readonly kind: "SENDER_PARTIAL"; readonly sender: string; readonly operators: readonly string[] }
  | { readonly kind: "ENDPOINT_FAILING"; readonly server: string }
  /** An API key that expires soon, or did lately. */
  | { readonly kind: "KEY_ENDS" | "KEY_ENDED"; readonly key: string; readonly at: string }
  | { readonly kind: "BALANCE_LOW"; readonly level: number };

export type AccountLive = {
  readonly kind: "account";
  readonly at: string;
  /** Null for those who see no money. `segments`: how many it pays for at the dearest price. */
  readonly balance: {
    readonly spendable: number;
    readonly reserved: number;
    readonly segments: number | null;
  } | null;
  readonly batches: readonly LiveBatch[];
  readonly delivered_share: number | null;
  readonly messages_today: number;
  readonly notices: readonly LiveNotice[];
};

export type LiveView = StaffLive | AccountLive;
