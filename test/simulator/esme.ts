import { type BindKind, decodePdu, encodePdu, type Pdu } from "../../src/smpp/pdu.ts";
import { type ShortMessage, shortMessage } from "../../src/smpp/short-message.ts";
import { frameSplitter } from "../kit/frame-splitter.ts";

/** The PDUs that a command name may stand for. */
type Named<C, P = Pdu> = P extends { readonly command: unknown }
  ? C extends P["command"]
    ? P
    : never
  : never;

/** The other side of the operator, by hand: writes PDUs and keeps what comes back. */
export type Esme = {
  readonly received: readonly Pdu[];
  readonly write: (pdu: Pdu) => void;
  readonly writeOctets: (octets: Uint8Array) => void;
  /** Resolves with the first PDU under this command_id, also of a command that our codec does not know. */
  readonly frame: (commandId: number) => Promise<Buffer>;
  readonly bind: (kind?: BindKind, systemId?: string, password?: string) => Promise<Pdu>;
  /** Resolves with the PDUs of a command once there are `count` of them. */
  readonly until: <C extends Pdu["command"]>(command: C, count?: number) => Promise<Named<C>[]>;
  /** Octets received so far, whole PDUs or not. */
  readonly octets: () => number;
  /** Unreadable PDUs are passed over from now on; without it they fail the test. */
  readonly tolerate: () => void;
  /** Resolves when the stream can be followed no further. */
  readonly lostTrack: Promise<void>;
  readonly closed: Promise<void>;
  readonly close: () => void;
};

export async function esme(port: number, tls?: Bun.TLSOptions): Promise<Esme> {
  const received: Pdu[] = [];
  const whole: Buffer[] = [];
  const waiters = new Set<() => void>();
  const split = frameSplitter();
  let octets = 0;
  let isTolerant = false;
  let tellLost = () => {};
  const lostTrack = new Promise<void>((resolve) => {
    tellLost = resolve;
  });
  let tellClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });
  let tellShaken = () => {};
  const shaken = new Promise<void>((resolve) => {
    tellShaken = resolve;
  });
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    ...(tls && { tls }),
    socket: {
      data: (_socket, chunk) => {
        octets += chunk.length;
        const { frames, fault } = split(chunk);
        for (const frame of frames) {
          whole.push(Buffer.from(Uint8Array.from(frame)));
          const decoded = decodePdu(frame);
          if (decoded.ok) received.push(decoded.pdu);
          else if (!isTolerant) throw new Error(decoded.reason);
        }
        if (fault !== null) tellLost();
        for (const waiter of [...waiters]) waiter();
      },
      handshake: () => tellShaken(),
      close: () => tellClosed(),
      error: () => tellClosed(),
    },
  });
  if (tls) await shaken;
  const until: Esme["until"] = (command, count = 1) =>
    new Promise((resolve) => {
      const look = () => {
        const found = received.filter((pdu) => pdu.command === command);
        if (found.length < count) return;
        waiters.delete(look);
        resolve(found as never);
      };
      waiters.add(look);
      look();
    });
  const write = (pdu: Pdu) => {
    socket.write(encodePdu(pdu));
  };
  return {
    received,
    write,
    writeOctets: (octets) => {
      socket.write(octets);
    },
    frame: (commandId) =>
      new Promise((resolve) => {
        const look = () => {
          const found = whole.find((one) => one.readUInt32BE(4) === commandId);
          if (!found) return;
          waiters.delete(look);
          resolve(found);
        };
        waiters.add(look);
        look();
      }),
    until,
    octets: () => octets,
    tolerate: () => {
      isTolerant = true;
    },
    lostTrack,
    closed,
    close: () => socket.terminate(),
    bind: async (kind = "transceiver", systemId = "bendre", password = "secret") => {
      const bind = {
        systemId,
        password,
        systemType: "",
        interfaceVersion: 0x34,
        addrTon: 0,
        addrNpi: 0,
        addressRange: "",
      };
      write({ command: `bind_${kind}`, sequence: 1, status: 0, bind });
      const [answer] = await until(`bind_${kind}_resp`);
      return answer!;
    },
  };
}

/** A submit_sm of an ordinary GSM text from MAVOIX. */
export function submit(sequence: number, to: string, fields: Partial<ShortMessage> = {}): Pdu {
  const message = shortMessage({
    sourceAddrTon: 5,
    sourceAddr: "MAVOIX",
    destAddrTon: 1,
    destAddrNpi: 1,
    destinationAddr: to,
    registeredDelivery: 1,
    shortMessage: Buffer.from("Bonjour"),
    ...fields,
  });
  return { command: "submit_sm", sequence, status: 0, message };
}

/** The text of a receipt. */
export function receiptText(message: ShortMessage): string {
  return Buffer.from(message.shortMessage).toString("latin1");
}
