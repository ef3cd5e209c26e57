/** A cheap load client of our SMPP server: bound sessions that submit as many as their window allows, or evenly, and take receipts. */
import { connect } from "node:net";
import { appendPdu, decodePdu, encodePdu, type Pdu, pduBuffer } from "../../../src/smpp/pdu.ts";
import { shortMessage } from "../../../src/smpp/short-message.ts";
import { frameReader } from "../../../src/smpp/socket-reader.ts";
import { wallMs } from "./clock.ts";

/** An SMPP user of a company. */
export type SmppLogin = { readonly systemId: string; readonly password: string };

export type SmppSession = {
  /** Writes a submit_sm; resolves with its status. */
  readonly submit: (text: string, destination: string) => Promise<number>;
  readonly receipts: () => number;
  readonly close: () => void;
};

/** Binds a transceiver, and answers whatever it is sent at once. @throws where it is refused, or closed. */
export function openSession(port: number, { systemId, password }: SmppLogin): Promise<SmppSession> {
  const { promise, resolve, reject } = Promise.withResolvers<SmppSession>();
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const frames = frameReader(80_000);
  const waiting = new Map<number, (status: number) => void>();
  let sequence = 0;
  let receipts = 0;
  const ask = (pdu: (sequence: number) => Pdu): Promise<number> => {
    sequence += 1;
    const answered = new Promise<number>((told) => waiting.set(sequence, told));
    socket.write(encodePdu(pdu(sequence)));
    return answered;
  };
  const answers = pduBuffer();
  const hear = (pdu: Pdu): void => {
    switch (pdu.command) {
      case "deliver_sm":
        receipts += 1;
        appendPdu(answers, { command: "deliver_sm_resp", sequence: pdu.sequence, status: 0, messageId: "" });
        return;
      case "enquire_link":
        appendPdu(answers, { command: "enquire_link_resp", sequence: pdu.sequence, status: 0 });
        return;
      default: {
        const told = waiting.get(pdu.sequence);
        waiting.delete(pdu.sequence);
        told?.(pdu.status);
      }
    }
  };
  socket.on("data", (chunk: Buffer) => {
    frames.push(chunk);
    for (let frame = frames.next(); frame !== null; frame = frames.next()) {
      const decoded = decodePdu(frame);
      if (decoded.ok) hear(decoded.pdu);
      else reject(new Error(decoded.reason));
    }
    if (answers.length === 0) return;
    socket.write(answers.octets.slice(0, answers.length));
    answers.length = 0;
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error(`the session of ${systemId} is closed`)));
  const session: SmppSession = {
    submit: (text, destinationAddr) =>
      ask((sequence) => ({
        command: "submit_sm",
        sequence,
        status: 0,
        message: shortMessage({
          sourceAddr: "BENCH",
          destAddrTon: 1,
          destAddrNpi: 1,
          destinationAddr,
          registeredDelivery: 1,
          shortMessage: Buffer.from(text, "latin1"),
        }),
      })),
    receipts: () => receipts,
    close: () => socket.destroy(),
  };
  socket.once("connect", async () => {
    const bind = { systemId, password, systemType: "", interfaceVersion: 0x34 } as const;
    const status = await ask((sequence) => ({
      command: "bind_transceiver",
      sequence,
      status: 0,
      bind: { ...bind, addrTon: 0, addrNpi: 0, addressRange: "" },
    }));
    if (status === 0) resolve(session);
    else reject(new Error(`the bind of ${systemId} was refused with ${status}`));
  });
  return promise;
}

export type SmppLoad = {
  readonly sessions: readonly SmppSession[];
  readonly count: number;
  /** The text of a submit, and the number that it is to. */
  readonly message: (index: number) => readonly [text: string, destination: string];
  /** Unanswered submits of a session at most. */
  readonly window: number;
  /** Submits a second over all sessions, evenly; as fast as answers come where it is left out. */
  readonly perSecond?: number;
};

/** Submits them all; how long each was without its answer, in milliseconds. @throws when one is refused. */
export function smppLoad({
  sessions,
  count,
  message,
  window,
  perSecond,
}: SmppLoad): Promise<readonly number[]> {
  const took: number[] = [];
  const unanswered = sessions.map(() => 0);
  const began = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
  let next = 0;
  const isDue = () => perSecond === undefined || performance.now() - began >= (next * 1000) / perSecond;
  const shoot = (at: number): void => {
    const session = sessions[at];
    if (session === undefined) return;
    const sentMs = wallMs();
    const [text, destination] = message(next);
    next += 1;
    unanswered[at] = (unanswered[at] ?? 0) + 1;
    session.submit(text, destination).then((status) => {
      unanswered[at] = (unanswered[at] ?? 0) - 1;
      took.push(wallMs() - sentMs);
      if (status !== 0) finish(() => reject(new Error(`a submit was answered with ${status}`)));
      else if (took.length === count) finish(() => resolve(took));
      else if (perSecond === undefined) pump();
    }, reject);
  };
  /** Sessions take turns; one whose window is full is passed over. */
  const nextFree = (): number | null => {
    for (let step = 0; step < sessions.length; step++) {
      const at = (next + step) % sessions.length;
      if ((unanswered[at] ?? 0) < window) return at;
    }
    return null;
  };
  const pump = (): void => {
    for (let at = nextFree(); at !== null && next < count && isDue(); at = nextFree()) shoot(at);
  };
  const timer = setInterval(pump, 1);
  const finish = (end: () => void): void => {
    clearInterval(timer);
    end();
  };
  pump();
  return promise;
}
