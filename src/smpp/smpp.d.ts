/** What we use of the `smpp` package, which brings no types: its tables of the standard, as they come. */
declare module "smpp/lib/defs.js" {
  export type FieldType = {
    /** May read beyond the end of the frame, or throw a RangeError there. */
    readonly read: (frame: Buffer, offset: number) => unknown;
    readonly write: (value: unknown, frame: Buffer, offset: number) => void;
    readonly size: (value: unknown) => number;
    readonly default: unknown;
  };
  type Command = { readonly id: number; readonly params?: Readonly<Record<string, { type: FieldType }>> };
  export const commands: Readonly<Record<string, Command>>;
  export const tlvs: Readonly<Record<string, { readonly id: number }>>;
  export const tlvsById: Readonly<Record<number, { readonly tag: string }>>;
}
