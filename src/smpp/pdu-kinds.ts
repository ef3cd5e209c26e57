import type { BindKind } from "./command.ts";
import type { ShortMessage } from "./short-message.ts";
import type { BindFields } from "./wire-fields.ts";

export type PduHeader = { readonly sequence: number; readonly status: number };

/** Every PDU we speak. `status` is 0 in requests. A null text in a response means that the body was left out. */
export type Pdu = PduHeader &
  (
    | { readonly command: `bind_${BindKind}`; readonly bind: BindFields }
    | {
        readonly command: `bind_${BindKind}_resp`;
        readonly systemId: string | null;
        readonly scInterfaceVersion: number | null;
      }
    | { readonly command: "submit_sm" | "deliver_sm" | "data_sm"; readonly message: ShortMessage }
    | {
        readonly command: "submit_sm_resp" | "deliver_sm_resp" | "data_sm_resp";
        readonly messageId: string | null;
      }
    | {
        readonly command:
          | "unbind"
          | "unbind_resp"
          | "enquire_link"
          | "enquire_link_resp"
          | "generic_nack"
          | "alert_notification";
      }
    | { readonly command: "outbind"; readonly systemId: string; readonly password: string }
    /** Read only: a command we do not speak, such as query_sm. Its body is not looked at. */
    | { readonly command: "unsupported"; readonly commandId: number }
  );

export type Decoded =
  /** `isBroken`: an optional parameter of a message is longer than its frame; what stands before it was read. */
  { readonly ok: true; readonly pdu: Pdu; readonly isBroken?: true } | UndecodablePdu;

/** What could not be read. */
export type UndecodablePdu = {
  readonly ok: false;
  readonly commandId: number;
  readonly sequence: number;
  /** The command_status to answer with: 0x02, 0x0A, 0x0B or 0xC0 (SMPP 3.4 section 5.1.3). */
  readonly status: number;
  readonly reason: string;
};
