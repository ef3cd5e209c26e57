/**
 * A run as data: everything that will be done, and when, drawn from one seed before anything happens. Steps can be left out
 * one by one, which is how a failing run is made small (`shrink`): each step draws from a chance of its own, so that leaving one out
 * changes nothing in the others.
 */
import type { RequestFate } from "./actors.ts";

export type Plan = {
  readonly seed: number;
  /** The configuration of the first life, as a document of the file's form, without `storage` and `server`. */
  readonly document: Readonly<Record<string, unknown>>;
  /**
   * What the configuration's bounds would not let end within a run, by its key: `delivery.receipt_timeout_hours` as a fraction of an
   * hour. Laid over every Config that is made of a document.
   */
  readonly overrides: Readonly<Record<string, number>>;
  /** Wall time when the run begins, milliseconds since the Unix epoch. */
  readonly wallStartMs: number;
  readonly accounts: readonly AccountPlan[];
  /** SMSC accounts by name; the connections of `document` point at `host = NAME.invalid`. */
  readonly centres: readonly CentrePlan[];
  readonly receivers: readonly ReceiverPlan[];
  /** Customers' SMPP users; absent in runs where nobody binds. */
  readonly smppUsers?: readonly SmppUserPlan[];
  /** Meta's Cloud API; absent in runs without WhatsApp. */
  readonly cloud?: CloudPlan;
  /** In the order of their times. */
  readonly steps: readonly Step[];
  /** When faults end and everything is given time to come to rest. */
  readonly calmAtMs: number;
};

export type AccountPlan = {
  /** Unique; also how observations call it. */
  readonly name: string;
  readonly billing: "prepaid" | "postpaid";
  readonly creditLimit: number;
  readonly funds: number;
  readonly timezone: string;
  readonly chargeOn: "accepted" | "delivered" | null;
  /** Names of senders that are sendable at the beginning. */
  readonly senders: readonly string[];
  /** Of some senders: the codes of operators and of routes that they are registered with at the beginning; absent: each operator. */
  readonly registrations?: Readonly<Record<string, readonly string[]>>;
  /** The numbers of WhatsApp, by their codes in the document, that its senders are registered with; absent: all. */
  readonly numbers?: readonly string[];
  /** Names of receivers that are registered as endpoints at the beginning, with the events they ask for. */
  readonly endpoints: readonly { readonly receiver: string; readonly events: readonly string[] | null }[];
  /** Commands that end its setting up, in this order; the argument ACCOUNT is added. */
  readonly setUp: readonly { readonly name: string; readonly args: Readonly<Record<string, string>> }[];
};

export type Undelivered = "UNDELIV" | "EXPIRED" | "REJECTD" | "UNKNOWN" | "DELETED";

/** How an operator's centre behaves; probabilities from 0 to 1, delays in milliseconds, drawn evenly from [least, most]. */
export type CentreHabits = {
  readonly responseMs: readonly [number, number];
  readonly receiptMs: readonly [number, number];
  /** Nothing is answered, though the text was accepted (`swallow`) or never was (`ignore`). */
  readonly swallow: number;
  readonly ignore: number;
  /** Answered twice; answered twice with different words. */
  readonly doubleResponse: number;
  readonly contradict: number;
  /** Refused with one of `refusals` (command_status). */
  readonly refuse: number;
  readonly refusals: readonly number[];
  readonly noReceipt: number;
  /** The receipt leaves before the response. */
  readonly earlyReceipt: number;
  readonly doubleReceipt: number;
  /** A second receipt that says the contrary of the first. */
  readonly contradictReceipt?: number;
  /** A receipt for an id that was never given, and a receipt of another subscriber's number under this id. */
  readonly foreignReceipt: number;
  /** An ENROUTE or ACCEPTD first. */
  readonly intermediateReceipt: number;
  /** Of receipts: something else than DELIVRD. */
  readonly undelivered: number;
  /** What that may be; anything unless given. UNKNOWN leaves a message open until its receipt is overdue. */
  readonly undeliveredAs?: readonly [Undelivered, ...Undelivered[]];
  /** Binds refused, enquire_link unanswered. */
  readonly refuseBind: number;
  readonly deafToEnquire: number;
  /** A form of ids: the same in response and receipt, hex in one and decimal in the other, or with zeros before it in receipts. */
  readonly ids: "decimal" | "hex" | "hex then decimal" | "decimal then padded";
  /** How receipts are marked: esm_class and TLVs, TLVs missing, or nothing but the text. */
  readonly marks: "both" | "esm_class" | "none";
  /** Receipts hide most of the subscriber's number. */
  readonly masksNumbers?: boolean;
  /** The receipt's text stands in message_payload. */
  readonly payloadReceipt?: number;
  /** The receipt comes in a data_sm. */
  readonly dataReceipt?: number;
};

export type CentrePlan = { readonly name: string; readonly habits: CentreHabits };

/** How a receiver behaves; probabilities from 0 to 1. */
export type ReceiverHabits = {
  readonly answerMs: readonly [number, number];
  /** Answered with one of `failures`, which may be 200 late, 4xx, 5xx, 3xx. */
  readonly fail: number;
  readonly failures: readonly number[];
  readonly broken: number;
  readonly silent: number;
};

export type ReceiverPlan = {
  readonly name: string;
  /** `https://NAME.example/hook`, whose host resolves to a public address in the simulation. */
  readonly url: string;
  readonly habits: ReceiverHabits;
};

/** How Meta's Cloud API behaves; probabilities from 0 to 1, delays in milliseconds, drawn evenly from [least, most]. */
export type CloudHabits = {
  readonly answerMs: readonly [number, number];
  /** From one status of a message to the next. */
  readonly statusMs: readonly [number, number];
  /** There is no connection: nothing of a post is sent. */
  readonly refuseConnection: number;
  /** The connection breaks before a post is read; once it was taken; nothing is ever answered, though it was taken. */
  readonly breakBefore: number;
  readonly breakAfter: number;
  readonly silent: number;
  /** An answer that leaves open whether the post was taken, with one of `unsures`: HTTP statuses, and codes under 500. Half were. */
  readonly unsure: number;
  readonly unsures: readonly number[];
  /** Refused with one of `refusals` (codes). */
  readonly refuse: number;
  readonly refusals: readonly number[];
  /** Accepted, and failed later with one of `failures` (codes). */
  readonly fail: number;
  readonly failures: readonly number[];
  /** Held back for the quality of its template first. */
  readonly held: number;
  /** Of delivered ones: read too, or only that is told. */
  readonly read: number;
  readonly free: number;
  /** Of statuses: never told, told twice, told up to three minutes late, without what we gave the post along. */
  readonly loseStatus: number;
  readonly doubleStatus: number;
  readonly lateStatus: number;
  readonly bareStatus: number;
  /** Beside a post: a status with a wrong signature that says the contrary, and one of a message that nobody knows. */
  readonly forge: number;
  readonly foreign: number;
  /** A phone that got the message, and another of the same user on which it fails afterwards; or the other way round. */
  readonly contradict: number;
  /** Billed as another category than that of its template. */
  readonly misprice: number;
  /** Of text without a template: refused, since Meta has blocked it; found to be advertising, which is told and billed so. */
  readonly blockDirect: number;
  readonly unmaskDirect: number;
};

export type CloudPlan = {
  /** `https://HOST`, which resolves to a public address in the simulation. */
  readonly host: string;
  readonly appSecret: string;
  readonly habits: CloudHabits;
};

/** A customer's SMPP client, and the user that it binds as. */
export type SmppUserPlan = {
  readonly systemId: string;
  readonly account: string;
  /** Of `smpp create`, beside the account and the system_id. */
  readonly settings: Readonly<Record<string, string>>;
  /** A session each. */
  readonly binds: readonly ("transceiver" | "transmitter" | "receiver")[];
  /** Submits that it leaves unanswered in a session. */
  readonly window: number;
  readonly habits: SmppClientHabits;
};

/** How a client answers what is delivered to it, until the calm; probabilities from 0 to 1. */
export type SmppClientHabits = {
  readonly answerMs: readonly [number, number];
  /** Never answered. */
  readonly silent: number;
  /** Answered with 0x14: not now. */
  readonly busy: number;
};

/** How a text is put into PDUs: in one, in message_payload, or in parts by a user data header or by SAR parameters. */
export type SmppForm = "short" | "payload" | "header8" | "header16" | "sar";

/** One thing that is done at a time. `index` names it for `--only` and in the story. */
export type Step = { readonly index: number; readonly atMs: number } & (
  | Submission
  | Reading
  | Administration
  | Death
  | Trouble
  | SmppSubmission
);

export type RecipientPlan = {
  readonly msisdn: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean | null>>;
};

/** A client submits, and repeats itself under the same key as clients do: until it has an answer, or `tries` are over. */
type Submission = {
  readonly kind: "submit";
  readonly account: string;
  /** Null: the header is left out. */
  readonly idempotencyKey: string | null;
  readonly request: {
    readonly sender: string;
    readonly body: string;
    readonly message_class: "OTP" | "TRANSACTIONAL" | "MARKETING";
    /** From the step's own moment; absent: at once. */
    readonly scheduledInMs?: number;
    /** `scheduled_at` is written as local time of this timezone, without an offset; absent: as an instant, with Z. */
    readonly timezone?: string;
    readonly recipients: readonly RecipientPlan[];
    readonly is_test?: boolean;
    /** Absent: SMS. */
    readonly channel?: "WHATSAPP";
    /** Of a batch by WhatsApp: how its messages go on. */
    readonly fallback?: { readonly channel: "SMS"; readonly after_seconds: number; readonly body?: string };
  };
  /** How the first tries fare; what comes after is "well". */
  readonly fates: readonly RequestFate[];
  readonly tries: number;
  /** Sent twice at once, as a proxy in between does that loses patience. */
  readonly isDoubled?: boolean;
  /** Sent once more after it was answered: the same body, or another one under the same key. */
  readonly afterwards: "nothing" | "repeat" | "another body";
};

/** An SMPP client submits a text, and repeats what was not answered with the same octets, for less than ten minutes. */
type SmppSubmission = {
  readonly kind: "smpp text";
  readonly user: string;
  /** Empty: the user's own. */
  readonly sender: string;
  /** No other text of a run goes to this number. */
  readonly to: string;
  readonly text: string;
  readonly coding: 0 | 1 | 3 | 8;
  readonly form: SmppForm;
  /** Where parts begin, from the first character on. */
  readonly cuts: readonly number[];
  /** The order of the parts, by their places from 0. */
  readonly order: readonly number[];
  /** What reference the parts have in common. */
  readonly reference: number;
  readonly registered: 0 | 1 | 2 | 3;
  /** Submitted once more so long after it was answered; null: not. */
  readonly againInMs: number | null;
};

type Reading = {
  readonly kind: "read";
  readonly account: string;
  readonly what:
    | "feed"
    | "batches"
    | "messages"
    | "balance"
    | "senders"
    | "webhooks"
    | "someone else's batch"
    | "someone else's message"
    | "without a key"
    /** With a key that may read messages and nothing else. */
    | "with a narrow key"
    /** One that no client should make, drawn by the step: it is refused, and nothing comes of it. */
    | "an odd request"
    | "health";
};

type Administration =
  /** A command by name. */
  | { readonly kind: "command"; readonly name: string; readonly args: Readonly<Record<string, string>> }
  /** A batch that the account has by then, drawn by the step. */
  | { readonly kind: "cancel"; readonly account: string }
  | { readonly kind: "suspend"; readonly account: string; readonly forMs: number }
  /** An operator, its first connection or one of its routes is paused, and resumed so much later. */
  | {
      readonly kind: "pause";
      readonly code: string;
      readonly isFirst: boolean;
      readonly route?: string;
      readonly forMs: number;
    }
  | { readonly kind: "top up"; readonly account: string; readonly amount: number; readonly reference: string }
  | { readonly kind: "rotate key"; readonly account: string }
  | {
      readonly kind: "webhook";
      readonly account: string;
      readonly receiver: string;
      /** The first four over the API, the others by command; always the newest endpoint of that receiver. */
      readonly what: "register" | "disable" | "enable" | "rotate" | "update" | "delete" | "replay" | "test";
      /** Of `disable` and `enable`: an administrator does it. */
      readonly byCommand?: boolean;
      /** Of `register` and `update`. */
      readonly events: readonly string[] | null;
    }
  /**
   * The document is put in force while it runs (what may change), or with the next start (all of it). Changes are by their key, as
   * `operators.orange.connections.0.throughput`; `nextDocument` makes them. `connections.one more` and `connections.one less` are
   * another connection like the first, and one less of those that are alike.
   */
  | {
      readonly kind: "settings";
      readonly when: "now" | "next start";
      readonly changes: Readonly<Record<string, unknown>>;
    }
  /** Stops, gives the operator another code in the file, and starts; then `operator rename`. */
  | {
      readonly kind: "rename operator";
      readonly from: string;
      readonly to: string;
      readonly downMs: number;
    }
  /**
   * A copy is made, some time is lost behind it, the machine dies, and the copy takes the place of its data. Nobody decides for a
   * while; then somebody does, one decision after the other, of which the last leaves nothing held.
   */
  | {
      readonly kind: "restore";
      readonly lostMs: number;
      readonly downMs: number;
      readonly undecidedMs: number;
      readonly decisions: readonly Decision[];
    }
  /** Says what becomes of what a restore holds. */
  | { readonly kind: "resume"; readonly args: Readonly<Record<string, string>> }
  /** Stops, takes the operator out of the file, and starts; then `operator retire`. */
  | { readonly kind: "retire operator"; readonly code: string; readonly downMs: number };

/** What is decided after a restore, and how long after that the next is. */
export type Decision = { readonly args: Readonly<Record<string, string>>; readonly thenMs: number };

/** The process ends. `downMs` later the next one starts on what it left. */
type Death =
  /** `blow`: it is killed while it stops, if it has so many commits left to make. `isCutAfter`: the power is cut once it has stopped. */
  | { readonly kind: "stop"; readonly downMs: number; readonly blow?: Blow; readonly isCutAfter?: boolean }
  /** `next`: the one that starts on what is left is killed as well, counted from its start. */
  | ({ readonly kind: "kill"; readonly downMs: number; readonly next?: Blow } & Blow)
  /** What the next sync was to keep, or the next of a checkpoint, is forgotten by the system; the process ends by itself. */
  | {
      readonly kind: "sync fails";
      readonly forMs: number;
      readonly at?: "a checkpoint";
      readonly isCutAfter?: boolean;
    };

/**
 * At the `commits`-th commit from this moment on: before it, in the middle of it (written, not synced), or after it; or in the first
 * checkpoint from there on that has anything to copy. Or some time later whatever it does, with what was sent until then.
 */
export type Blow = { readonly how: "process" | "power" } & (
  | { readonly where: "before" | "inside" | "after" | "in a checkpoint"; readonly commits: number }
  | { readonly where: "between two commits"; readonly inMs: number }
);

type Trouble =
  | {
      readonly kind: "habits";
      readonly centre: string;
      readonly habits: Partial<CentreHabits>;
      readonly forMs: number;
    }
  /** Every link of the centre ends: at once, or after so many octets more in one direction. */
  | {
      readonly kind: "drop";
      readonly centre: string;
      readonly how: "fin" | "rst";
      readonly afterOctets: number;
      readonly direction: "to centre" | "to appliance";
    }
  /** The same of the connections of a customer's SMPP client. */
  | {
      readonly kind: "smpp drop";
      readonly user: string;
      readonly how: "fin" | "rst";
      readonly afterOctets: number;
      readonly direction: "to client" | "to appliance";
    }
  /** Octets vanish in one direction, or both, and nobody is told. */
  | {
      readonly kind: "half open";
      readonly centre: string;
      readonly direction: "to centre" | "to appliance" | "both";
      readonly forMs: number;
    }
  | {
      readonly kind: "slow link";
      readonly centre: string;
      readonly latencyMs: number;
      readonly forMs: number;
    }
  /** The centre reads nothing. */
  | { readonly kind: "stall"; readonly centre: string; readonly forMs: number }
  | { readonly kind: "unreachable"; readonly centre: string; readonly forMs: number }
  | { readonly kind: "unbind"; readonly centre: string }
  | { readonly kind: "garbage"; readonly centre: string }
  /** A subscriber writes: a text, a word that opts out, or what looks like a receipt. */
  | {
      readonly kind: "mo";
      readonly centre: string;
      readonly from: string;
      readonly to: string;
      readonly text: "hello" | "STOP" | "like a receipt";
    }
  | { readonly kind: "cloud habits"; readonly habits: Partial<CloudHabits>; readonly forMs: number }
  /** Meta pauses or disables a template for so long; then it is APPROVED again. `isTold`: by the webhook, too. */
  | {
      readonly kind: "template";
      readonly name: string;
      readonly status: "PAUSED" | "DISABLED";
      readonly forMs: number;
      readonly isTold?: boolean;
    }
  /**
   * Meta moves a template to another category for so long. `noticeMs`: announced so long before; null: not at all. `isTold`: by the
   * webhook, once it is done.
   */
  | {
      readonly kind: "template moves";
      readonly name: string;
      readonly category: string;
      readonly noticeMs: number | null;
      readonly forMs: number;
      readonly isTold: boolean;
    }
  /** Meta announces a move that is not made while the run lasts. */
  | { readonly kind: "template notice"; readonly name: string; readonly category: string }
  /** Meta thinks otherwise of a template from now on. */
  | {
      readonly kind: "template quality";
      readonly name: string;
      readonly quality: string;
      readonly isTold: boolean;
    }
  /** A user writes to a number of WhatsApp, presses a button of that text, or chooses it from a list; Meta may call twice for it. */
  | {
      readonly kind: "whatsapp text";
      readonly phone: string;
      readonly from: string;
      readonly text: string;
      readonly as?: "button" | "list";
      readonly isDoubled: boolean;
    }
  /** What a user said of marketing in WhatsApp itself, so long ago. */
  | {
      readonly kind: "whatsapp preference";
      readonly phone: string;
      readonly from: string;
      readonly value: "stop" | "resume";
      readonly agoSeconds: number;
      readonly isDoubled: boolean;
    }
  | {
      readonly kind: "receiver habits";
      readonly receiver: string;
      readonly habits: Partial<ReceiverHabits>;
      readonly forMs: number;
    }
  /**
   * What the disk refuses, or how much of the reserve is left: "reserved" less than all of it, "spent" less than half.
   * `afterCommits`: only once so many more were made, or never.
   */
  | {
      readonly kind: "disk";
      readonly state: "full" | "read only" | "reserved" | "spent";
      readonly forMs: number;
      readonly afterCommits?: number;
    }
  /** Others keep the machine busy: the process is held up again and again, and much comes in meanwhile. */
  | { readonly kind: "busy"; readonly forMs: number }
  | { readonly kind: "clock"; readonly byMs: number; readonly backAfterMs: number | null };
