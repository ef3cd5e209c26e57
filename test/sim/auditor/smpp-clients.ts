/**
 * What customers' SMPP clients and the appliance exchanged: users, the texts that were submitted to it, part by part, with every answer,
 * and the receipts that came back. Read by the auditor's own decoder.
 */
import type { Observation } from "../observation.ts";
import type { Account } from "./accounts.ts";
import type { Commanded } from "./exchanges.ts";
import { latin1, type Pdu, readPdu, TLV } from "./pdu.ts";
import { type DefaultAlphabet, shortTextOf } from "./short-text.ts";

export type SmppUser = {
  readonly systemId: string;
  readonly account: Account;
  readonly alphabet: DefaultAlphabet;
  readonly messageClass: string;
  /** Of a submit that names none. */
  readonly sender: string;
};

/** What a submit was answered, when that left the appliance, and when the client had it; null: it never did. */
export type SmppAnswer = {
  readonly status: number;
  readonly id: string;
  readonly leftAtMs: number;
  readonly heardAtMs: number | null;
};

export type SmppSubmit = {
  readonly link: number;
  readonly sentAtMs: number;
  /** It was whole in the hands of the appliance; null: never. */
  readonly arrivedAtMs: number | null;
  readonly answer: SmppAnswer | null;
};

/** A part of a text, or all of it, with every submit of it: the same octets. */
export type SmppPart = {
  readonly number: number;
  readonly characters: string;
  readonly registered: number;
  readonly submits: readonly SmppSubmit[];
};

/** A text of a user to a number: the clients of a run send no second one there. */
export type SmppText = {
  readonly user: SmppUser;
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly sender: string;
  readonly total: number;
  /** In the order of their numbers; those that were never sent are missing. */
  readonly parts: readonly SmppPart[];
  /** Null where parts are missing. */
  readonly text: string | null;
};

/** A deliver_sm that tells of a message. */
export type SmppReceipt = {
  readonly user: SmppUser;
  /** The number that it is about, with "+". */
  readonly msisdn: string;
  readonly id: string;
  readonly stat: string;
  readonly leftAtMs: number;
  /** Null: the client never had it. */
  readonly heardAtMs: number | null;
  /** The client's answer, and when the appliance had it; null: never. */
  readonly answer: { readonly status: number; readonly arrivedAtMs: number | null } | null;
};

export type SmppClients = {
  readonly users: readonly SmppUser[];
  readonly texts: readonly SmppText[];
  readonly receipts: readonly SmppReceipt[];
};

type ClientPdu = Extract<Observation, { readonly kind: "client pdu" }>;

/** Reads what was seen of clients, once. */
export function smppClientsOf(
  observations: readonly Observation[],
  commands: readonly Commanded[],
  accounts: ReadonlyMap<string, Account>,
): SmppClients {
  const users = usersOf(commands, accounts);
  const texts = new Map<string, OpenText>();
  const submits = new Map<string, OpenSubmit>();
  const receipts: OpenReceipt[] = [];
  const delivered = new Map<string, OpenReceipt>();
  for (const seen of observations) {
    if (seen.kind !== "client pdu") continue;
    const user = users.get(seen.user);
    const pdu = readPdu(seen.octets);
    const name = `${seen.link} ${pdu.sequence}`;
    if (!user) continue;
    if (seen.from === "client") asked(seen, pdu, name, user, { texts, submits, delivered });
    else answered(seen, pdu, name, user, { submits, delivered, receipts });
  }
  return { users: [...users.values()], texts: [...texts.values()].map(wholeText), receipts };
}

function usersOf(
  commands: readonly Commanded[],
  accounts: ReadonlyMap<string, Account>,
): ReadonlyMap<string, SmppUser> {
  const users = new Map<string, SmppUser>();
  for (const { name, args, wasDone } of commands) {
    const systemId = args["system-id"];
    const account = accounts.get(args.ACCOUNT ?? "");
    if (name !== "smpp create" || wasDone === "no" || systemId === undefined || !account) continue;
    users.set(systemId, {
      systemId,
      account,
      alphabet: (args.alphabet ?? "gsm") as DefaultAlphabet,
      messageClass: args.class ?? "TRANSACTIONAL",
      sender: args.sender ?? "",
    });
  }
  return users;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
type OpenSubmit = Mutable<Omit<SmppSubmit, "answer">> & { answer: Mutable<SmppAnswer> | null };
type OpenPart = Omit<SmppPart, "submits"> & { readonly submits: OpenSubmit[] };
type OpenText = Omit<SmppText, "parts" | "text"> & { readonly parts: Map<number, OpenPart> };
type OpenReceipt = Mutable<Omit<SmppReceipt, "answer">> & {
  answer: { readonly status: number; arrivedAtMs: number | null } | null;
};

/** What a client wrote, or what of it arrived. */
function asked(
  { at, atMs, link }: ClientPdu,
  pdu: Pdu,
  name: string,
  user: SmppUser,
  known: {
    readonly texts: Map<string, OpenText>;
    readonly submits: Map<string, OpenSubmit>;
    readonly delivered: ReadonlyMap<string, OpenReceipt>;
  },
): void {
  if (pdu.kind === "submit_sm" && at === "client") {
    const submit: OpenSubmit = { link, sentAtMs: atMs, arrivedAtMs: null, answer: null };
    known.submits.set(name, submit);
    partOf(known.texts, user, pdu.text).submits.push(submit);
  } else if (pdu.kind === "submit_sm") {
    const submit = known.submits.get(name);
    if (submit) submit.arrivedAtMs = atMs;
  } else if (pdu.kind === "response" && pdu.to === "deliver_sm") {
    const receipt = known.delivered.get(name);
    if (!receipt) return;
    if (at === "client") receipt.answer = { status: pdu.status, arrivedAtMs: null };
    else if (receipt.answer) receipt.answer.arrivedAtMs = atMs;
  }
}

function partOf(
  texts: Map<string, OpenText>,
  user: SmppUser,
  text: Extract<Pdu, { readonly kind: "submit_sm" }>["text"],
): OpenPart {
  const { place, characters } = shortTextOf(text, user.alphabet);
  const key = `${user.systemId} ${text.destination}`;
  const known: OpenText = texts.get(key) ?? {
    user,
    msisdn: `+${text.destination}`,
    sender: text.source === "" ? user.sender : text.source,
    total: place.total,
    parts: new Map(),
  };
  texts.set(key, known);
  const { number } = place;
  const part = known.parts.get(number) ?? {
    number,
    characters,
    registered: text.registeredDelivery,
    submits: [],
  };
  known.parts.set(number, part);
  return part;
}

function wholeText({ parts, ...text }: OpenText): SmppText {
  const inOrder = [...parts.values()].sort((one, other) => one.number - other.number);
  const isWhole = inOrder.length === text.total;
  return { ...text, parts: inOrder, text: isWhole ? inOrder.map((part) => part.characters).join("") : null };
}

/** What the appliance wrote, or what of it arrived. */
function answered(
  { at, atMs }: ClientPdu,
  pdu: Pdu,
  name: string,
  user: SmppUser,
  known: {
    readonly submits: ReadonlyMap<string, OpenSubmit>;
    readonly delivered: Map<string, OpenReceipt>;
    readonly receipts: OpenReceipt[];
  },
): void {
  const isAnswer = (pdu.kind === "response" && pdu.to === "submit_sm") || pdu.kind === "generic_nack";
  if (isAnswer) {
    const submit = known.submits.get(name);
    if (!submit) return;
    const id = pdu.kind === "response" ? pdu.messageId : "";
    if (at === "appliance") submit.answer = { status: pdu.status, id, leftAtMs: atMs, heardAtMs: null };
    else if (submit.answer) submit.answer.heardAtMs = atMs;
  } else if (pdu.kind === "deliver_sm" && at === "appliance") {
    const { source, octets, tlvs } = pdu.text;
    const words = latin1(octets);
    const told = tlvs.get(TLV.receiptedMessageId);
    const receipt: OpenReceipt = {
      user,
      msisdn: `+${source}`,
      id: /\bid:(\S+)/.exec(words)?.[1] ?? (told ? latin1(told).replace("\0", "") : ""),
      stat: /\bstat:(\S+)/.exec(words)?.[1] ?? "",
      leftAtMs: atMs,
      heardAtMs: null,
      answer: null,
    };
    known.delivered.set(name, receipt);
    known.receipts.push(receipt);
  } else if (pdu.kind === "deliver_sm") {
    const receipt = known.delivered.get(name);
    if (receipt) receipt.heardAtMs = atMs;
  }
}

/** Whether a submit was accepted: the answer left the appliance, whoever heard it. */
export function isAccepted({ answer }: SmppSubmit): boolean {
  return answer?.status === 0;
}

/** Refusals that say: later. */
const NOT_NOW: readonly number[] = [0x08, 0x14, 0x58];

/** Whether a submit was refused for good. */
export function isRefused({ answer }: SmppSubmit): boolean {
  return answer !== null && answer.status !== 0 && !NOT_NOW.includes(answer.status);
}
