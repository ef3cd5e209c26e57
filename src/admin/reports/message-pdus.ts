import { type KeptPdu, keptPdus, type PduSources } from "../../channels/sms/kept-pdus.ts";
import { isoUtc } from "../../core/clock.ts";
import { encodePdu } from "../../smpp/pdu.ts";
import { pcapng } from "./pcapng.ts";

/** One PDU of a message in words and octets. */
export type PduRow = {
  readonly at: string;
  readonly way: KeptPdu["way"];
  readonly connection: number | null;
  readonly command: string;
  readonly sequence_number: number;
  readonly hex: string;
  /** What of it was not kept, and stands there by assumption. */
  readonly assumed: string | null;
};

/** The PDUs of a message, made again from what is kept of them, as rows. */
export function pduRows(of: PduSources): PduRow[] {
  return keptPdus(of).map(({ atMs, way, connection, pdu, assumed }) => ({
    at: isoUtc(atMs),
    way,
    connection,
    command: pdu.command,
    sequence_number: pdu.sequence,
    hex: (
      Buffer.from(encodePdu(pdu))
        .toString("hex")
        .match(/.{1,8}/g) ?? []
    ).join(" "),
    assumed,
  }));
}

/** The same as a capture file (pcapng.ts), in Base64; what was assumed stands beside each packet. */
export function pduCapture(of: PduSources): string {
  const pieces = keptPdus(of).map(({ atMs, way, connection, pdu, assumed }) => ({
    atMs,
    toServer: way === "sent",
    connection: (connection ?? 1) - 1,
    octets: encodePdu(pdu),
    comment: assumed,
  }));
  const about = `Message ${of.message.ulid}: PDUs made again from what is kept of them. Addresses, ports and packets are made up.`;
  return Buffer.from(pcapng(pieces, about)).toString("base64");
}
