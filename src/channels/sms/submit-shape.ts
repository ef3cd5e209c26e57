import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { ESM_UDHI, type ShortMessage, shortMessage } from "../../smpp/short-message.ts";

/** The fields of a submit_sm that a batch's messages share (SMPP 3.4 section 4.4.1), as a timeline shows them. */
export type SubmitShape = {
  readonly service_type: string;
  readonly source_addr_ton: number;
  readonly source_addr_npi: number;
  readonly source_addr: string;
  readonly dest_addr_ton: number;
  readonly dest_addr_npi: number;
  readonly esm_class: number;
  readonly priority_flag: number;
  readonly registered_delivery: number;
  readonly data_coding: number;
  /** How a text longer than one part travels. */
  readonly long_message: "no" | "udh" | "sar" | "payload";
};

/** A PDU's shape as the text it is kept as: the same for all that look the same. Pure, and quick for one that looks like the last. */
export function toSubmitShape(message: ShortMessage): string {
  if (lastText !== "" && looksLike(message, lastMessage)) return lastText;
  lastText = textOf(message);
  lastMessage = message;
  return lastText;
}

let lastMessage: ShortMessage = shortMessage({});
let lastText = "";

function looksLike(one: ShortMessage, other: ShortMessage): boolean {
  return (
    one.sourceAddr === other.sourceAddr &&
    one.serviceType === other.serviceType &&
    one.sourceAddrTon === other.sourceAddrTon &&
    one.sourceAddrNpi === other.sourceAddrNpi &&
    one.destAddrTon === other.destAddrTon &&
    one.destAddrNpi === other.destAddrNpi &&
    one.esmClass === other.esmClass &&
    one.priorityFlag === other.priorityFlag &&
    one.registeredDelivery === other.registeredDelivery &&
    one.dataCoding === other.dataCoding &&
    carriage(one) === carriage(other)
  );
}

function textOf(message: ShortMessage): string {
  const shape: SubmitShape = {
    service_type: message.serviceType,
    source_addr_ton: message.sourceAddrTon,
    source_addr_npi: message.sourceAddrNpi,
    source_addr: message.sourceAddr,
    dest_addr_ton: message.destAddrTon,
    dest_addr_npi: message.destAddrNpi,
    esm_class: message.esmClass,
    priority_flag: message.priorityFlag,
    registered_delivery: message.registeredDelivery,
    data_coding: message.dataCoding,
    long_message: carriage(message),
  };
  return JSON.stringify(shape);
}

function carriage({ esmClass, tlvs }: ShortMessage): SubmitShape["long_message"] {
  if (tlvs.messagePayload !== undefined) return "payload";
  if (tlvs.sarMsgRefNum !== undefined) return "sar";
  return esmClass & ESM_UDHI ? "udh" : "no";
}

/** The rows of shapes that are durable, as a writer remembers them: few are ever made. */
type KnownShapes = {
  readonly ids: Map<string, Map<string, number>>;
  readonly accounts: Map<number, string | null>;
};

const shapesOf = new WeakMap<Tx, KnownShapes>();

function knownShapes(tx: Tx): KnownShapes {
  const known = shapesOf.get(tx) ?? { ids: new Map(), accounts: new Map() };
  shapesOf.set(tx, known);
  return known;
}

/** A shape as it is kept, and the SMSC account that what has it leaves for, as `smscAccount` writes it. */
export type AccountShape = { readonly shape: string; readonly account: string };

/** The row of a shape of what leaves for an SMSC account. */
export function shapeId(tx: Tx, { shape: fields, account }: AccountShape): number {
  const { ids, accounts } = knownShapes(tx);
  const remembered = ids.get(account)?.get(fields);
  if (remembered !== undefined) return remembered;
  const id =
    tx.get<{ id: number }>("SELECT id FROM submit_shapes WHERE account = ? AND fields = ?", account, fields)
      ?.id ?? tx.insert("INSERT INTO submit_shapes (account, fields) VALUES (?, ?)", account, fields);
  tx.afterCommit(() => {
    ids.set(account, (ids.get(account) ?? new Map()).set(fields, id));
    accounts.set(id, account);
  });
  return id;
}

/** The SMSC account that submits of a shape's row left for; null where that was not noted. */
export function readShapeAccount(tx: Tx, id: number | null): string | null {
  if (id === null) return null;
  const { accounts } = knownShapes(tx);
  const remembered = accounts.get(id);
  if (remembered !== undefined) return remembered;
  const row = tx.get<{ account: string | null }>("SELECT account FROM submit_shapes WHERE id = ?", id);
  const account = row?.account ?? null;
  tx.afterCommit(() => accounts.set(id, account));
  return account;
}

/** Whether anything ever left for an SMSC account. */
export function hasSubmitted(read: Reader, account: string): boolean {
  return read.known("SELECT 1 FROM submit_shapes WHERE account = ? LIMIT 1", account) !== null;
}

/** The fields of a shape's row, as JSON; null for none. */
export function readShapeFields(read: Reader, id: number | null): string | null {
  if (id === null) return null;
  return read.get<{ fields: string }>("SELECT fields FROM submit_shapes WHERE id = ?", id)?.fields ?? null;
}
