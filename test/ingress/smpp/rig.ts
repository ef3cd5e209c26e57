/** The appliance whole, with its door for SMPP open, and clients that speak through our own codec over real sockets. */
import type { SmppUserStatus } from "../../../src/admin/operations/context.ts";
import { type Platform, systemPlatform } from "../../../src/app/platform.ts";
import {
  changeSmppUser,
  createSmppUser,
  hashSmppPassword,
  type SmppUserSettings,
} from "../../../src/domain/accounts/smpp-users.ts";
import {
  type AcceptedEvents,
  type AcceptedSocket,
  type SmppListenOptions,
  systemSmppListen,
} from "../../../src/smpp/listen.ts";
import { type BindKind, decodePdu, encodePdu, type Pdu } from "../../../src/smpp/pdu.ts";
import { type MessageTlvs, type ShortMessage, shortMessage } from "../../../src/smpp/short-message.ts";
import { frameReader } from "../../../src/smpp/socket-reader.ts";
import { type Client, type Stage, stage } from "../../scenarios/stage.ts";

export const PASSWORD = "aB3dE5gH";
export const SYSTEM_ID = "faso";

/** Hashed once: it takes a while. */
const HASH = hashSmppPassword(PASSWORD);

const USER: SmppUserSettings = {
  messageClass: "TRANSACTIONAL",
  classesBy: null,
  sender: "ACME",
  maxBinds: 2,
  throughput: 1_000,
  window: 10,
  networks: [],
  tls: "optional",
  alphabet: "gsm",
  ids: "ulid",
  reasons: false,
  receiptText: 0,
  inbound: false,
};

export type SmppRig = {
  readonly stage: Stage;
  readonly client: Client;
  readonly userId: number;
  /** Where it listens, plain and inside TLS. */
  readonly port: () => number;
  readonly tlsPort: () => number;
  /** How the user stands, as administrators see it. */
  readonly status: () => SmppUserStatus | undefined;
  /** Changes the user's settings, and has the server know. */
  readonly change: (changes: Partial<SmppUserSettings>) => Promise<void>;
  /** Another user. */
  readonly addUser: (systemId: string, changes?: Partial<SmppUserSettings>) => Promise<number>;
  /** A client that is connected, not bound. */
  readonly connect: () => Promise<SmppClient>;
  /** The same inside TLS, whose certificate it believes. */
  readonly connectTls: () => Promise<SmppClient>;
  /** A client that is bound; of version 3.4 unless given. */
  readonly bind: (kind?: BindKind, version?: number) => Promise<SmppClient>;
  /** A client that is bound as another user. */
  readonly bindAs: (systemId: string, kind?: BindKind, version?: number) => Promise<SmppClient>;
  readonly close: () => Promise<void>;
};

type Without<T> = T extends unknown ? Omit<T, "sequence" | "status"> : never;
type Request = Without<Pdu>;

export type SmppClient = {
  /** What came, in order, but for enquire_link. */
  readonly received: readonly Pdu[];
  readonly isClosed: () => boolean;
  /** Writes a request; its sequence number. */
  readonly send: (request: Request) => number;
  readonly octets: (octets: Uint8Array) => void;
  readonly until: (isDone: () => boolean, stepMs?: number) => Promise<void>;
  /** The response to a request. */
  readonly responseTo: (sequence: number, stepMs?: number) => Promise<Pdu>;
  /** Sends a request, and waits for its response. */
  readonly ask: (request: Request, stepMs?: number) => Promise<Pdu>;
  /** Submits, and waits for the answer: its status and its id. */
  readonly submit: (fields?: Partial<ShortMessage>, tlvs?: MessageTlvs) => Promise<Answer>;
  /** The messages of each deliver_sm. */
  readonly delivered: () => readonly ShortMessage[];
  /** What each deliver_sm is answered from now on, by how many came before it since then; null: nothing. */
  readonly answerWith: (status: number | null | ((before: number) => number | null)) => void;
  readonly close: () => void;
};

export type Answer = { readonly status: number; readonly id: string | null };

export function submitOf(fields: Partial<ShortMessage> = {}, tlvs: MessageTlvs = {}): Request {
  const text = new Uint8Array(Buffer.from("Bonjour", "latin1"));
  const number = { destAddrTon: 1, destAddrNpi: 1, destinationAddr: "22670123456" };
  return {
    command: "submit_sm",
    message: shortMessage({ sourceAddr: "ACME", ...number, shortMessage: text, ...fields, tlvs }),
  };
}

/** Steps of the clock from which on a client needs turns of the event loop to answer in time, and how many. */
const LONG_STEP_MS = 500;
const TURNS = 25;

export const textOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

export const bindOf = (
  kind: BindKind,
  password = PASSWORD,
  systemId = SYSTEM_ID,
  version = 0x34,
): Request => ({
  command: `bind_${kind}`,
  bind: {
    systemId,
    password,
    systemType: "",
    interfaceVersion: version,
    addrTon: 0,
    addrNpi: 0,
    addressRange: "",
  },
});

type World = {
  /** What else the machine is. */
  readonly machine?: Partial<Platform>;
  /** What stands between the door and the socket of each connection, in the order in which they come. */
  readonly between?: (socket: AcceptedSocket) => AcceptedSocket;
  /** Called with what the door wants to be told of each connection that it takes. */
  readonly taken?: (on: AcceptedEvents) => void;
};

/** `tables`: of `[smpp_server]`, beside its address. */
export async function smppRig(
  user: Partial<SmppUserSettings> = {},
  tables: Readonly<Record<string, unknown>> = {},
  { machine = {}, between = (socket) => socket, taken = () => {} }: World = {},
): Promise<SmppRig> {
  let port = 0;
  let tlsPort = 0;
  const listenSmpp = (options: SmppListenOptions) => {
    const accept = (socket: AcceptedSocket): AcceptedEvents | null => {
      const on = options.accept(between(socket));
      if (on !== null) taken(on);
      return on;
    };
    const listener = systemSmppListen({ ...options, accept });
    if (options.certificate === null) port = listener.port;
    else tlsPort = listener.port;
    return listener;
  };
  const built = await stage(
    { ...systemPlatform, ...machine, listenSmpp },
    { smpp_server: { listen: "127.0.0.1:0", ...tables } },
  );
  const client = await built.client();
  const clients: SmppClient[] = [];
  const addUser: SmppRig["addUser"] = async (systemId, changes = {}) => {
    const { store, clock } = built.context();
    const hash = await HASH;
    return store.write((tx) => {
      const accountId = tx.get<{ id: number }>(
        "SELECT id FROM accounts WHERE ulid = ?",
        client.accountId,
      )?.id;
      const settings = { ...USER, ...changes };
      return createSmppUser(tx, { ...settings, systemId, accountId: accountId ?? 0 }, hash, clock.nowMs());
    });
  };
  const userId = await addUser(SYSTEM_ID, user);
  const keep = (made: SmppClient): SmppClient => {
    clients.push(made);
    return made;
  };
  const connect = async (): Promise<SmppClient> => keep(await smppClient(port, built));
  const bindAs: SmppRig["bindAs"] = async (systemId, kind = "transceiver", version = 0x34) => {
    const made = await connect();
    const answer = await made.ask(bindOf(kind, PASSWORD, systemId, version));
    if (answer.status !== 0) throw new Error(`the bind was refused with ${answer.status}`);
    return made;
  };
  return {
    stage: built,
    client,
    userId,
    port: () => port,
    tlsPort: () => tlsPort,
    status: () => built.context().server?.smpp?.userStatus(userId),
    addUser,
    connect,
    connectTls: async () => keep(await smppClient(tlsPort, built, true)),
    change: async (changes) => {
      const { store, server } = built.context();
      await store.write((tx) => changeSmppUser(tx, userId, changes));
      server?.changed({ kind: "smpp_user", userId, ends: "not allowed" });
    },
    bind: (kind, version) => bindAs(SYSTEM_ID, kind, version),
    bindAs,
    close: async () => {
      for (const one of clients) one.close();
      await built.close();
    },
  };
}

/** A client that is connected to a door, not bound; `built`: whose clock its waiting moves. */
export async function smppClient(
  port: number,
  built?: Pick<Stage, "clock">,
  isTls = false,
): Promise<SmppClient> {
  const frames = frameReader(80_000);
  const received: Pdu[] = [];
  let isClosed = false;
  let sequence = 0;
  let statusAfter: (before: number) => number | null = () => 0;
  let answered = 0;
  const ready = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    ...(isTls && { tls: { rejectUnauthorized: false } }),
    socket: {
      data: (_socket, chunk) => {
        frames.push(chunk);
        for (let frame = frames.next(); frame !== null; frame = frames.next()) take(frame);
      },
      close: () => {
        isClosed = true;
      },
      // Before it nothing that is written inside TLS leaves.
      handshake: () => ready.resolve(),
      error: () => {},
    },
  });
  if (isTls) await ready.promise;
  const write = (pdu: Pdu): void => void socket.write(encodePdu(pdu));
  const take = (frame: Uint8Array): void => {
    const decoded = decodePdu(frame);
    if (!decoded.ok) throw new Error(decoded.reason);
    const { pdu } = decoded;
    if (pdu.command === "enquire_link") {
      if (statusAfter(answered) !== null)
        write({ command: "enquire_link_resp", sequence: pdu.sequence, status: 0 });
      return;
    }
    received.push(pdu);
    if (pdu.command !== "deliver_sm") return;
    const status = statusAfter(answered++);
    if (status !== null) write({ command: "deliver_sm_resp", sequence: pdu.sequence, status, messageId: "" });
  };
  const until: SmppClient["until"] = async (isDone, stepMs = 0) => {
    const endMs = performance.now() + 100_000;
    while (!isDone()) {
      if (performance.now() > endMs) throw new Error("it did not come about");
      if (stepMs > 0) await built?.clock.advance(stepMs);
      // What is written comes and is answered before the clock moves on: else a busy machine has its own clients cut for silence.
      for (let turns = stepMs < LONG_STEP_MS ? 1 : TURNS; turns > 0; turns--)
        await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  const send: SmppClient["send"] = (request) => {
    sequence += 1;
    write({ ...request, sequence, status: 0 } as Pdu);
    return sequence;
  };
  const responseTo: SmppClient["responseTo"] = async (to, stepMs) => {
    const isIt = (pdu: Pdu): boolean => {
      const { command } = pdu;
      const isResponse = command === "generic_nack" || command.endsWith("_resp");
      return isResponse && pdu.sequence === to;
    };
    await until(() => received.some(isIt), stepMs);
    const found = received.find(isIt);
    if (!found) throw new Error("there is no response");
    return found;
  };
  const ask: SmppClient["ask"] = (request, stepMs) => responseTo(send(request), stepMs);
  return {
    received,
    isClosed: () => isClosed,
    send,
    octets: (octets) => void socket.write(octets),
    until,
    responseTo,
    ask,
    submit: async (fields, tlvs) => {
      const answer = await ask(submitOf(fields, tlvs));
      return { status: answer.status, id: "messageId" in answer ? answer.messageId : null };
    },
    delivered: () => received.flatMap((pdu) => (pdu.command === "deliver_sm" ? [pdu.message] : [])),
    answerWith: (status) => {
      statusAfter = typeof status === "function" ? status : () => status;
      answered = 0;
    },
    close: () => socket.terminate(),
  };
}
