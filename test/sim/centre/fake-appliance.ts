import { decodePdu, encodePdu, type Pdu } from "../../../src/smpp/pdu.ts";
import { type ShortMessage, shortMessage } from "../../../src/smpp/short-message.ts";
import type { Wire } from "../actors.ts";
import { frameCutter } from "../frames.ts";
import { stillEdges } from "../kit.ts";
import type { CentreHabits } from "../plan.ts";
import { type Centre, openCentre } from "./open-centre.ts";

/** A centre that does all as it should. */
export const GOOD_HABITS: CentreHabits = {
  responseMs: [10, 10],
  receiptMs: [100, 100],
  swallow: 0,
  ignore: 0,
  doubleResponse: 0,
  contradict: 0,
  refuse: 0,
  refusals: [0x58, 0x14, 0x08, 0x64, 0x45, 0x0b, 0xff],
  noReceipt: 0,
  earlyReceipt: 0,
  doubleReceipt: 0,
  foreignReceipt: 0,
  intermediateReceipt: 0,
  undelivered: 0,
  refuseBind: 0,
  deafToEnquire: 0,
  ids: "decimal",
  marks: "both",
};

/** A link of a test, at the appliance's end, read by the appliance's own codec. */
export type FakeLink = {
  /** What the centre wrote and could be read. */
  readonly heard: Pdu[];
  readonly send: (pdu: Pdu) => void;
  readonly sendRaw: (octets: Uint8Array) => void;
  readonly bind: (as?: "transceiver" | "transmitter" | "receiver") => void;
  readonly submit: (sequence: number, message?: Partial<ShortMessage>) => void;
  /** Ends it from this side. */
  readonly close: () => void;
  /** How the centre ended it. */
  readonly ended: () => "fin" | "rst" | null;
};

export type FakeAppliance = ReturnType<typeof stillEdges> & {
  readonly centre: Centre;
  /** Connects; deliver_sm are answered by `status`, or not at all for null. */
  readonly link: (status?: number | null) => FakeLink;
  readonly faults: () => string[];
};

/** A centre and somebody to talk to it. */
export function fakeAppliance(habits: Partial<CentreHabits> = {}, seed = 1, name = "smsc-a"): FakeAppliance {
  const edges = stillEdges(seed);
  const centre = openCentre(edges, { name, habits: { ...GOOD_HABITS, ...habits } });
  let links = 0;
  return {
    ...edges,
    centre,
    link: (status = 0) => connect(centre, ++links, status),
    faults: () => edges.seen.flatMap((one) => (one.kind === "fault" ? [one.name] : [])),
  };
}

export const TEXT: Partial<ShortMessage> = {
  sourceAddr: "ACME",
  sourceAddrTon: 5,
  destinationAddr: "22670000001",
  destAddrTon: 1,
  destAddrNpi: 1,
  registeredDelivery: 1,
  shortMessage: new TextEncoder().encode("Good morning to you all"),
};

function connect(centre: Centre, number: number, status: number | null): FakeLink {
  const heard: Pdu[] = [];
  const cut = frameCutter();
  let ended: "fin" | "rst" | null = null;
  const wire: Wire = {
    write: (octets) => {
      for (const frame of cut(octets).frames) {
        const read = decodePdu(frame);
        if (!read.ok) continue;
        heard.push(read.pdu);
        const { command, sequence } = read.pdu;
        if (command === "deliver_sm" && status !== null) {
          send({ command: "deliver_sm_resp", sequence, status, messageId: "" });
        }
      }
    },
    close: (how) => {
      ended = how;
    },
  };
  const events = centre.accept(number, wire);
  const send = (pdu: Pdu) => events.data(encodePdu(pdu));
  const bind = { systemId: "bendre", password: "secret", systemType: "", interfaceVersion: 0x34 };
  return {
    heard,
    send,
    sendRaw: events.data,
    bind: (as = "transceiver") =>
      send({
        command: `bind_${as}`,
        sequence: 1,
        status: 0,
        bind: { ...bind, addrTon: 0, addrNpi: 0, addressRange: "" },
      }),
    submit: (sequence, message = {}) =>
      send({ command: "submit_sm", sequence, status: 0, message: shortMessage({ ...TEXT, ...message }) }),
    close: events.closed,
    ended: () => ended,
  };
}
