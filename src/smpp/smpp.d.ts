/** What we use of the `smpp` package, which brings no types: its codec, and the tables that steer it. */
declare module "smpp/lib/pdu.js" {
  type WireValue = number | string | Buffer;
  class PDU {
    /** Encodes: a command's name and its fields, missing ones being their defaults. */
    constructor(command: string, fields: Record<string, WireValue>);
    /** Decodes one whole frame. */
    constructor(frame: Buffer);
    static maxLength: number;
    command: string;
    command_id: number;
    command_status: number;
    sequence_number: number;
    toBuffer(): Buffer;
    [field: string]: unknown;
  }
}

declare module "smpp/lib/defs.js" {
  type FieldType = { readonly size: (value: unknown) => number };
  type Field = { type: FieldType; filter?: unknown; multiple?: boolean };
  export const commands: Record<string, { readonly id: number; readonly params?: Record<string, Field> }>;
  export const tlvs: Record<string, Field>;
  export const types: { readonly tlv: { readonly buffer: FieldType } };
}
