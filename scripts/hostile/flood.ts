/** An operator that ignores every window: it writes all of its deliver_sm at once, and reads the answers as they come. */
import { createServer, type Server, type Socket } from "node:net";
import { decodePdu, encodePdu, type Pdu } from "../../src/smpp/pdu.ts";
import { ESM_RECEIPT, shortMessage } from "../../src/smpp/short-message.ts";
import { frameSplitter } from "../../test/kit/frame-splitter.ts";
import type { Attack } from "./attack.ts";

const DELIVERIES = 100_000;
const FIRST_SEQUENCE = 1_000_000;
/** The bind comes back some seconds after the last flood at most. */
const BOUND_WITHIN_MS = 30_000;
const ANSWERED_WITHIN_MS = 120_000;

/** The flooding operator, on a port of its own. */
export type FloodingOperator = {
  readonly port: number;
  /** Writes so many deliver_sm to the link that is bound; resolves when every one of them was answered with ROK. */
  readonly flood: (message: (place: number) => Pdu) => Promise<{ readonly seconds: number }>;
  readonly stop: () => void;
};

export function floodingOperator(): Promise<FloodingOperator> {
  let link: Socket | null = null;
  let answered = 0;
  let refused = 0;
  let lost = 0;

  const handle = (pdu: Pdu, socket: Socket): void => {
    const { sequence } = pdu;
    const answer = (reply: Pdu): void => void socket.write(encodePdu(reply));
    switch (pdu.command) {
      case "bind_transceiver":
        answer({
          command: "bind_transceiver_resp",
          sequence,
          status: 0,
          systemId: "FLOOD",
          scInterfaceVersion: 0x34,
        });
        link = socket;
        return;
      case "enquire_link":
      case "unbind":
        answer({ command: `${pdu.command}_resp`, sequence, status: 0 });
        return;
      case "submit_sm":
        answer({ command: "submit_sm_resp", sequence, status: 0, messageId: String(sequence) });
        return;
      case "deliver_sm_resp":
        if (pdu.status === 0) answered += 1;
        else refused += 1;
        return;
      default:
        return;
    }
  };
  const server: Server = createServer((socket) => {
    const split = frameSplitter();
    socket.on("data", (chunk) => {
      for (const frame of split(new Uint8Array(Buffer.from(chunk))).frames) {
        const decoded = decodePdu(frame);
        if (decoded.ok) handle(decoded.pdu, socket);
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (link !== socket) return;
      link = null;
      lost += 1;
    });
  });

  const until = async (holds: () => boolean, withinMs: number, what: string): Promise<void> => {
    const lateMs = performance.now() + withinMs;
    while (!holds()) {
      if (performance.now() > lateMs) throw new Error(`${what} within ${withinMs / 1000} s`);
      await Bun.sleep(20);
    }
  };

  const flood: FloodingOperator["flood"] = async (message) => {
    await until(() => link !== null, BOUND_WITHIN_MS, "nobody bound");
    [answered, refused, lost] = [0, 0, 0];
    const octets = Buffer.concat(Array.from({ length: DELIVERIES }, (_, place) => encodePdu(message(place))));
    const beganMs = performance.now();
    link?.write(octets);
    await until(
      () => answered + refused >= DELIVERIES || lost > 0,
      ANSWERED_WITHIN_MS,
      `${answered} answered`,
    );
    if (lost > 0) throw new Error(`the link was lost after ${answered} answers`);
    if (refused > 0) throw new Error(`${refused} were refused`);
    return { seconds: (performance.now() - beganMs) / 1000 };
  };

  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      resolve({ port, flood, stop: () => server.close() });
    });
  });
}

const delivery = (place: number, fields: Parameters<typeof shortMessage>[0]): Pdu => ({
  command: "deliver_sm",
  sequence: FIRST_SEQUENCE + place,
  status: 0,
  message: shortMessage({ sourceAddrTon: 1, sourceAddrNpi: 1, destinationAddr: "ACME", ...fields }),
});

const receipt = (place: number): Pdu =>
  delivery(place, {
    sourceAddr: String(22_670_000_000 + place),
    esmClass: ESM_RECEIPT,
    shortMessage: Buffer.from(
      `id:${place} sub:001 dlvrd:001 submit date:2603020900 done date:2603020900 stat:DELIVRD err:000 text:Bonjour`,
    ),
  });

const subscribersText = (place: number): Pdu =>
  delivery(place, {
    sourceAddr: String(22_670_000_000 + place),
    shortMessage: Buffer.from(`Bonjour ${place}`),
  });

const flooded = (what: string, message: (place: number) => Pdu): Attack => ({
  name: `an operator writes ${DELIVERIES} ${what} at once`,
  run: async ({ flooding }) => {
    const { seconds } = await flooding.flood(message);
    return `each answered, ${Math.round(DELIVERIES / seconds)} a second`;
  },
});

export const floods: readonly Attack[] = [
  flooded("receipts of nobody's", receipt),
  flooded("subscribers' texts", subscribersText),
];
