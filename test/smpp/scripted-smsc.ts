import { decodePdu, encodePdu, type Pdu } from "../../src/smpp/pdu.ts";
import { frameSplitter } from "../kit/frame-splitter.ts";

/** One connection as the other end sees it. */
export type Peer = {
  readonly send: (...pdus: Pdu[]) => void;
  readonly sendOctets: (octets: Uint8Array) => void;
  /** Stops or starts reading what comes. */
  readonly pause: () => void;
  readonly hangUp: () => void;
  /** Closes once everything is written. */
  readonly end: () => void;
};

/** What to do about one PDU from the connection under test. */
export type Script = (pdu: Pdu, peer: Peer) => void;

export type ScriptedSmsc = {
  readonly port: number;
  /** Everything received, in order, over all connections. */
  readonly received: Pdu[];
  readonly stop: () => void;
};

/** Answers a bind with ROK, enquire_link and unbind as they ask for, and each submit_sm with its sequence as id. */
export const obliging: Script = (pdu, peer) => {
  const { sequence } = pdu;
  switch (pdu.command) {
    case "bind_transceiver":
    case "bind_transmitter":
    case "bind_receiver":
      peer.send({
        command: `${pdu.command}_resp`,
        sequence,
        status: 0,
        systemId: "SMSC",
        scInterfaceVersion: 0x34,
      });
      return;
    case "submit_sm":
      peer.send({ command: "submit_sm_resp", sequence, status: 0, messageId: `id-${sequence}` });
      return;
    case "enquire_link":
    case "unbind":
      peer.send({ command: `${pdu.command}_resp`, sequence, status: 0 });
      return;
    default:
      return;
  }
};

/** A message centre on a loopback port that does nothing but what its script says. `heard` is called after each PDU. */
export function scriptedSmsc(
  script: Script,
  heard: () => void = () => {},
  tls: Bun.TLSOptions | null = null,
): ScriptedSmsc {
  const received: Pdu[] = [];
  const server = Bun.listen<
    { readonly split: ReturnType<typeof frameSplitter>; readonly peer: Peer } | undefined
  >({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls && { tls }),
    socket: {
      open: (socket) => {
        const sendOctets = (octets: Uint8Array): void => {
          socket.write(octets);
        };
        const peer: Peer = {
          sendOctets,
          send: (...pdus) => sendOctets(new Uint8Array(Buffer.concat(pdus.map(encodePdu)))),
          pause: () => {
            socket.pause();
          },
          hangUp: () => {
            socket.terminate();
          },
          end: () => {
            socket.end();
          },
        };
        socket.data = { split: frameSplitter(), peer };
      },
      data: (socket, chunk) => {
        if (!socket.data) return;
        const { split, peer } = socket.data;
        for (const frame of split(chunk).frames) {
          const decoded = decodePdu(frame);
          if (!decoded.ok) throw new Error(decoded.reason);
          received.push(decoded.pdu);
          script(decoded.pdu, peer);
          heard();
        }
      },
    },
  });
  return { port: server.port, received, stop: () => server.stop(true) };
}
