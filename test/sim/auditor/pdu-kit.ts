/** Makes PDUs for hand-made histories. */

/** A PDU of a command with a body. */
export function pduOf(
  command: number,
  status: number,
  sequence: number,
  body: readonly number[] | Uint8Array,
): Uint8Array {
  const pdu = new Uint8Array(16 + body.length);
  const view = new DataView(pdu.buffer);
  [pdu.length, command, status, sequence].forEach((value, index) => {
    view.setUint32(index * 4, value);
  });
  pdu.set(body, 16);
  return pdu;
}

type TextParts = {
  readonly sequence?: number;
  readonly source?: string;
  readonly destination?: string;
  readonly esmClass?: number;
  readonly dataCoding?: number;
  readonly octets?: Uint8Array;
  readonly tlvs?: readonly (readonly [number, Uint8Array])[];
};

export function submitSm(parts: TextParts): Uint8Array {
  return pduOf(4, 0, parts.sequence ?? 1, textBody(parts));
}

export function deliverSm(parts: TextParts): Uint8Array {
  return pduOf(5, 0, parts.sequence ?? 1, textBody(parts));
}

export function submitSmResp(sequence: number, status: number, messageId: string): Uint8Array {
  return pduOf(0x80000004, status, sequence, [...Buffer.from(`${messageId}\0`, "latin1")]);
}

export function deliverSmResp(sequence: number, status: number): Uint8Array {
  return pduOf(0x80000005, status, sequence, [0]);
}

function textBody({ source, destination, esmClass, dataCoding, octets, tlvs }: TextParts): number[] {
  const text = octets ?? new Uint8Array(0);
  return [
    ...[0, 5, 0],
    ...Buffer.from(`${source ?? "KORO"}\0`, "latin1"),
    ...[1, 1],
    ...Buffer.from(`${destination ?? "22670000001"}\0`, "latin1"),
    ...[esmClass ?? 0, 0, 0, 0, 0, 1, 0, dataCoding ?? 0, 0, text.length],
    ...text,
    ...(tlvs ?? []).flatMap(([tag, value]) => [
      tag >> 8,
      tag & 255,
      value.length >> 8,
      value.length & 255,
      ...value,
    ]),
  ];
}
