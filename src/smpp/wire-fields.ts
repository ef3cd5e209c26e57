import type { BindFields, Pdu } from "./pdu.ts";
import type { WireFields, WireRead, WireTlvs } from "./pdu-frame.ts";
import type { MessageTlvs, ShortMessage } from "./short-message.ts";

/** The body of a PDU under the names of SMPP 3.4 chapter 4. */
export function wireFields(pdu: Pdu): WireFields {
  switch (pdu.command) {
    case "bind_transceiver":
    case "bind_transmitter":
    case "bind_receiver":
      return {
        system_id: pdu.bind.systemId,
        password: pdu.bind.password,
        system_type: pdu.bind.systemType,
        interface_version: pdu.bind.interfaceVersion,
        addr_ton: pdu.bind.addrTon,
        addr_npi: pdu.bind.addrNpi,
        address_range: pdu.bind.addressRange,
      };
    case "bind_transceiver_resp":
    case "bind_transmitter_resp":
    case "bind_receiver_resp":
      return { system_id: pdu.systemId ?? "" };
    case "submit_sm":
    case "deliver_sm":
    case "data_sm":
      return messageFields(pdu.message);
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp":
      return { message_id: pdu.messageId ?? "" };
    case "outbind":
      return { system_id: pdu.systemId, password: pdu.password };
    case "unbind":
    case "unbind_resp":
    case "enquire_link":
    case "enquire_link_resp":
    case "generic_nack":
    case "alert_notification":
    case "unsupported":
      return {};
  }
}

/** data_sm has some of these only: what a command does not have is not written. */
function messageFields(message: ShortMessage): WireFields {
  return {
    service_type: message.serviceType,
    source_addr_ton: message.sourceAddrTon,
    source_addr_npi: message.sourceAddrNpi,
    source_addr: message.sourceAddr,
    dest_addr_ton: message.destAddrTon,
    dest_addr_npi: message.destAddrNpi,
    destination_addr: message.destinationAddr,
    esm_class: message.esmClass,
    protocol_id: message.protocolId,
    priority_flag: message.priorityFlag,
    schedule_delivery_time: message.scheduleDeliveryTime,
    validity_period: message.validityPeriod,
    registered_delivery: message.registeredDelivery,
    replace_if_present_flag: message.replaceIfPresentFlag,
    data_coding: message.dataCoding,
    sm_default_msg_id: message.smDefaultMsgId,
    short_message: view(message.shortMessage),
  };
}

/** The optional parameters of a PDU, as octets. */
export function wireTlvs(pdu: Pdu): WireTlvs {
  const written: Record<string, Buffer> = {};
  if ("scInterfaceVersion" in pdu && pdu.scInterfaceVersion !== null) {
    written.sc_interface_version = uint(pdu.scInterfaceVersion, 1);
  }
  if (!("message" in pdu)) return written;
  const { tlvs } = pdu.message;
  if (tlvs.messagePayload) written.message_payload = view(tlvs.messagePayload);
  if (tlvs.receiptedMessageId !== undefined) {
    written.receipted_message_id = Buffer.from(`${tlvs.receiptedMessageId}\0`, "latin1");
  }
  if (tlvs.messageState !== undefined) written.message_state = uint(tlvs.messageState, 1);
  if (tlvs.networkErrorCode) written.network_error_code = view(tlvs.networkErrorCode);
  if (tlvs.sarMsgRefNum !== undefined) written.sar_msg_ref_num = uint(tlvs.sarMsgRefNum, 2);
  if (tlvs.sarTotalSegments !== undefined) written.sar_total_segments = uint(tlvs.sarTotalSegments, 1);
  if (tlvs.sarSegmentSeqnum !== undefined) written.sar_segment_seqnum = uint(tlvs.sarSegmentSeqnum, 1);
  return written;
}

/** The bind's fields as read; one that was not there is empty or 0. */
export function readBind(wire: WireRead): BindFields {
  return {
    systemId: text(wire.system_id),
    password: text(wire.password),
    systemType: text(wire.system_type),
    interfaceVersion: number(wire.interface_version),
    addrTon: number(wire.addr_ton),
    addrNpi: number(wire.addr_npi),
    addressRange: text(wire.address_range),
  };
}

/** The message body as read, its octets copied out of the frame. */
export function readMessage(wire: WireRead): ShortMessage {
  return {
    serviceType: text(wire.service_type),
    sourceAddrTon: number(wire.source_addr_ton),
    sourceAddrNpi: number(wire.source_addr_npi),
    sourceAddr: text(wire.source_addr),
    destAddrTon: number(wire.dest_addr_ton),
    destAddrNpi: number(wire.dest_addr_npi),
    destinationAddr: text(wire.destination_addr),
    esmClass: number(wire.esm_class),
    protocolId: number(wire.protocol_id),
    priorityFlag: number(wire.priority_flag),
    scheduleDeliveryTime: text(wire.schedule_delivery_time),
    validityPeriod: text(wire.validity_period),
    registeredDelivery: number(wire.registered_delivery),
    replaceIfPresentFlag: number(wire.replace_if_present_flag),
    dataCoding: number(wire.data_coding),
    smDefaultMsgId: number(wire.sm_default_msg_id),
    shortMessage: octets(wire.short_message) ?? new Uint8Array(0),
    tlvs: readTlvs(wire),
  };
}

function readTlvs(wire: WireRead): MessageTlvs {
  const messagePayload = octets(wire.message_payload);
  const receiptedMessageId = readCString(wire.receipted_message_id);
  const messageState = readUint(wire.message_state);
  const networkErrorCode = octets(wire.network_error_code);
  const sarMsgRefNum = readUint(wire.sar_msg_ref_num);
  const sarTotalSegments = readUint(wire.sar_total_segments);
  const sarSegmentSeqnum = readUint(wire.sar_segment_seqnum);
  return {
    ...(messagePayload && { messagePayload }),
    ...(receiptedMessageId && { receiptedMessageId }),
    ...(messageState !== undefined && { messageState }),
    ...(networkErrorCode && { networkErrorCode }),
    ...(sarMsgRefNum !== undefined && { sarMsgRefNum }),
    ...(sarTotalSegments !== undefined && { sarTotalSegments }),
    ...(sarSegmentSeqnum !== undefined && { sarSegmentSeqnum }),
  };
}

/** An optional parameter as a big-endian number of 1 to 4 octets, whatever its length should have been. */
export function readUint(value: unknown): number | undefined {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > 4) return undefined;
  return value.reduce((sum, octet) => sum * 256 + octet, 0);
}

/** A text that may be missing altogether. */
export function readTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** An optional parameter as a text up to its NUL, or up to its end: some operators leave the NUL out. */
function readCString(value: unknown): string | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  const end = value.indexOf(0);
  return view(end < 0 ? value : value.subarray(0, end)).toString("latin1");
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function octets(value: unknown): Uint8Array | undefined {
  return value instanceof Uint8Array ? new Uint8Array(value) : undefined;
}

function view(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function uint(value: number, length: number): Buffer {
  const written = Buffer.alloc(length);
  written.writeUIntBE(value, 0, length);
  return written;
}
