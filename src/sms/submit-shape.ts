import { ESM_UDHI, type ShortMessage, shortMessage } from "../smpp/short-message.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

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
export function shapeOf(message: ShortMessage): string {
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

const shapesOf = new WeakMap<Tx, Map<string, number>>();

/** The row of a shape: few are ever made, so each writer remembers those that are durable. */
export function shapeId(tx: Tx, fields: string): number {
  let known = shapesOf.get(tx);
  if (!known) {
    known = new Map();
    shapesOf.set(tx, known);
  }
  const remembered = known.get(fields);
  if (remembered !== undefined) return remembered;
  const id =
    tx.get<{ id: number }>("SELECT id FROM submit_shapes WHERE fields = ?", fields)?.id ??
    tx.insert("INSERT INTO submit_shapes (fields) VALUES (?)", fields);
  const shapes = known;
  tx.afterCommit(() => shapes.set(fields, id));
  return id;
}

/** The fields of a shape's row, as JSON; null for none. */
export function shapeFields(read: Reader, id: number | null): string | null {
  if (id === null) return null;
  return read.get<{ fields: string }>("SELECT fields FROM submit_shapes WHERE id = ?", id)?.fields ?? null;
}
