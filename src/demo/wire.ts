/**
 * What `bendre demo --wire` shows: each PDU between the appliance and an operator as it passes the socket, a line each, its fields
 * named as in SMPP 3.4. Numbers are shown whole, for they are made up; a text by its length.
 */
import { pduFields } from "../channels/sms/pdu-trace.ts";
import type { LogFields } from "../core/log.ts";
import { escapeControls } from "../core/terminal-text.ts";
import type { Dial } from "../smpp/dial.ts";
import { type Decoded, decodePdu } from "../smpp/pdu.ts";
import { HEADER_OCTETS } from "../smpp/wire-format.ts";

/** From the appliance to the operator, or back. */
type Direction = "->" | "<-";

/** Dials as `dial` does, and shows what passes. `operatorAt` names the operator that listens on a port. */
export function dialInTheOpen(
  dial: Dial,
  operatorAt: (port: number) => string,
  show: (line: string) => void,
): Dial {
  let opened = 0;
  return (profile, clock, on) => {
    opened += 1;
    const name = `${operatorAt(profile.port)} ${opened}`;
    const readerOf = (direction: Direction) =>
      new PduReader((decoded) => show(`${name.padEnd(10)} ${direction} ${renderPdu(decoded)}`));
    const sent = readerOf("->");
    const received = readerOf("<-");
    const socket = dial(profile, clock, {
      ...on,
      data: (chunk) => {
        received.read(chunk);
        on.data(chunk);
      },
    });
    return {
      ...socket,
      write: (octets) => {
        const taken = socket.write(octets);
        if (taken > 0) sent.read(octets.subarray(0, taken));
        return taken;
      },
    };
  };
}

/** Cuts the octets of one direction into PDUs: each begins with its length (SMPP 3.4 section 3.2). */
class PduReader {
  #rest = new Uint8Array(0);
  readonly #onPdu: (decoded: Decoded) => void;

  constructor(onPdu: (decoded: Decoded) => void) {
    this.#onPdu = onPdu;
  }

  read(octets: Uint8Array): void {
    const all = new Uint8Array(this.#rest.length + octets.length);
    all.set(this.#rest);
    all.set(octets, this.#rest.length);
    const view = new DataView(all.buffer);
    let at = 0;
    while (at + HEADER_OCTETS <= all.length) {
      const length = view.getUint32(at);
      if (length < HEADER_OCTETS || at + length > all.length) break;
      this.#onPdu(decodePdu(all.subarray(at, at + length)));
      at += length;
    }
    this.#rest = all.slice(at);
  }
}

const COMMAND_WIDTH = "bind_transceiver_resp".length;

/** A PDU on one line: its command, its sequence number, and the fields that are set. */
function renderPdu(decoded: Decoded): string {
  const { command, sequence_number, ...fields } = pduFields(decoded);
  const whole: LogFields =
    decoded.ok && "message" in decoded.pdu
      ? {
          ...fields,
          source_addr: decoded.pdu.message.sourceAddr,
          destination_addr: decoded.pdu.message.destinationAddr,
        }
      : fields;
  const shown = Object.entries(whole)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${String(value)}`);
  return escapeControls(
    [String(command).padEnd(COMMAND_WIDTH), `seq=${sequence_number}`, ...shown].join(" "),
  );
}
