/**
 * A customer's SMPP client: holds its sessions, submits texts, repeats what was not answered with the same octets, and answers what is
 * delivered to it. It knows nothing of the appliance but what came over its connections.
 */
import type { Clock } from "../../../src/core/clock.ts";
import type { ActorEdges, ConnectSmpp, Wire } from "../actors.ts";
import { COMMAND, cString, GENERIC_NACK, pduOf, RESPONSE, STATUS } from "../centre/pdu.ts";
import { between, forked, happens } from "../chance.ts";
import { frameCutter } from "../frames.ts";
import type { Plan, SmppUserPlan } from "../plan.ts";
import { wait } from "./patience.ts";
import { type ClientAlphabet, type SmppTextStep, submitBodies } from "./smpp-pdus.ts";

export type SmppClient = {
  readonly plan: SmppUserPlan;
  /** Binds, and again whenever a session has ended. */
  readonly begin: (password: string) => void;
  /** Submits a text; ends when each part was answered for good, or given up. */
  readonly submit: (step: SmppTextStep) => Promise<void>;
};

type BindKind = SmppUserPlan["binds"][number];

/** A submit, until it is answered for good. */
type Submit = {
  readonly body: Uint8Array;
  firstSentMs: number | null;
  /** Whether it was accepted; null: given up without an answer. */
  readonly over: (isAccepted: boolean | null) => void;
};

type Session = {
  readonly kind: BindKind;
  readonly wire: Wire;
  isBound: boolean;
  isOver: boolean;
  sequence: number;
  heardAtMs: number;
  readonly unanswered: Map<number, Submit>;
};

/** What is repeated later than this would be another text: ten minutes, less the longest way. */
const REPEATED_FOR_MS = 8.5 * 60_000;
/** A submit without an answer for so long ends its session. */
const ANSWER_MS = 20_000;
const ENQUIRE_MS = 10_000;
const SILENCE_MS = 35_000;
const AGAIN_MS: readonly [number, number] = [300, 6_000];
const NOT_NOW_MS: readonly [number, number] = [500, 4_000];
const VERSION = 0x34;
const NOT_NOW: readonly number[] = [STATUS.systemError, STATUS.queueFull, STATUS.throttled];

const COMMAND_OF_BIND: Readonly<Record<BindKind, number>> = {
  transceiver: COMMAND.bind_transceiver,
  transmitter: COMMAND.bind_transmitter,
  receiver: COMMAND.bind_receiver,
};

/** Opens a client; it does nothing before it has its password. */
export function openSmppClient(
  user: SmppUserPlan,
  { seed, calmAtMs }: Pick<Plan, "seed" | "calmAtMs">,
  { clock }: Pick<ActorEdges, "clock">,
  connect: ConnectSmpp,
): SmppClient {
  const sessions = new Set<Session>();
  const waiting: Submit[] = [];
  const pauses = forked(seed, "smpp pauses", user.systemId);
  let delivered = 0;

  const send = (session: Session, submit: Submit): void => {
    session.sequence += 1;
    const { sequence } = session;
    submit.firstSentMs ??= clock.steadyMs();
    session.unanswered.set(sequence, submit);
    session.wire.write(pduOf({ command: COMMAND.submit_sm, sequence }, submit.body));
    clock.after(ANSWER_MS, () => {
      if (session.unanswered.has(sequence) && !session.isOver) session.wire.close("rst");
    });
  };

  /** Sends what waits, over whichever session has least to answer. */
  const pump = (): void => {
    for (;;) {
      const [least] = [...sessions]
        .filter(({ isBound, isOver, kind }) => isBound && !isOver && kind !== "receiver")
        .filter(({ unanswered }) => unanswered.size < user.window)
        .sort((one, other) => one.unanswered.size - other.unanswered.size);
      const submit = least && waiting.shift();
      if (!least || !submit) return;
      if (isTooLate(submit, clock)) submit.over(null);
      else send(least, submit);
    }
  };

  const answered = (session: Session, sequence: number, status: number): void => {
    const submit = session.unanswered.get(sequence);
    if (!submit) return;
    session.unanswered.delete(sequence);
    if (NOT_NOW.includes(status)) {
      void wait(clock, between(pauses, NOT_NOW_MS)).then(() => {
        waiting.push(submit);
        pump();
      });
    } else submit.over(status === STATUS.ok);
    pump();
  };

  const deliver = (session: Session, command: number, sequence: number): void => {
    delivered += 1;
    const chance = forked(seed, "smpp deliver", user.systemId, delivered);
    const { answerMs, silent, busy } = user.habits;
    const inMs = between(chance, answerMs);
    const [isSilent, isBusy] = [happens(chance, silent), happens(chance, busy)];
    const isFaulty = clock.steadyMs() < calmAtMs;
    if (isFaulty && isSilent) return;
    const status = isFaulty && isBusy ? STATUS.queueFull : STATUS.ok;
    clock.after(inMs, () => {
      const answer = pduOf({ command: command + RESPONSE, status, sequence }, Uint8Array.of(0));
      if (!session.isOver) session.wire.write(answer);
    });
  };

  const take = (session: Session, octets: Uint8Array): void => {
    const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
    const [command, status, sequence] = [view.getUint32(4), view.getUint32(8), view.getUint32(12)];
    session.heardAtMs = clock.steadyMs();
    switch (command) {
      case COMMAND.deliver_sm:
      case COMMAND.data_sm:
        deliver(session, command, sequence);
        break;
      case COMMAND.enquire_link:
        session.wire.write(pduOf({ command: command + RESPONSE, sequence }));
        break;
      case COMMAND.unbind:
        session.wire.write(pduOf({ command: command + RESPONSE, sequence }));
        session.wire.close("fin");
        break;
      case COMMAND.submit_sm + RESPONSE:
      case GENERIC_NACK:
        answered(session, sequence, status);
        break;
      case COMMAND_OF_BIND[session.kind] + RESPONSE:
        session.isBound = status === STATUS.ok;
        if (session.isBound) pump();
        else session.wire.close("fin");
    }
  };

  const ask = (session: Session): void => {
    clock.after(ENQUIRE_MS, () => {
      if (session.isOver) return;
      if (clock.steadyMs() - session.heardAtMs > SILENCE_MS) {
        session.wire.close("rst");
        return;
      }
      session.sequence += 1;
      if (session.isBound)
        session.wire.write(pduOf({ command: COMMAND.enquire_link, sequence: session.sequence }));
      ask(session);
    });
  };

  const hold = (kind: BindKind, password: string): void => {
    const again = (): void => void wait(clock, between(pauses, AGAIN_MS)).then(() => hold(kind, password));
    connect(user.systemId, {
      failed: again,
      opened: (wire) => {
        const session: Session = {
          kind,
          wire,
          isBound: false,
          isOver: false,
          sequence: 1,
          heardAtMs: clock.steadyMs(),
          unanswered: new Map(),
        };
        sessions.add(session);
        const cut = frameCutter();
        clock.after(0, () => {
          const bind = { command: COMMAND_OF_BIND[kind], sequence: 1 };
          const named = [cString(user.systemId), cString(password), cString("")];
          wire.write(pduOf(bind, ...named, Uint8Array.of(VERSION, 0, 0, 0)));
          ask(session);
        });
        return {
          data: (octets) => {
            for (const frame of cut(octets).frames) if (!session.isOver) take(session, frame);
          },
          closed: () => {
            session.isOver = true;
            sessions.delete(session);
            waiting.unshift(...session.unanswered.values());
            session.unanswered.clear();
            again();
            clock.after(0, pump);
          },
        };
      },
    });
  };

  const submitOnce = (body: Uint8Array): Promise<boolean | null> =>
    new Promise((resolve) => {
      const submit: Submit = { body, firstSentMs: null, over: resolve };
      waiting.push(submit);
      pump();
      // Of a client that cannot bind.
      clock.after(REPEATED_FOR_MS, () => {
        if (submit.firstSentMs !== null || !waiting.includes(submit)) return;
        waiting.splice(waiting.indexOf(submit), 1);
        resolve(null);
      });
    });

  return {
    plan: user,
    begin: (password) => {
      for (const kind of user.binds) hold(kind, password);
    },
    submit: async (step) => {
      const bodies = submitBodies(step, (user.settings.alphabet ?? "gsm") as ClientAlphabet);
      const all = await Promise.all(bodies.map(submitOnce));
      if (step.againInMs === null || all.some((isAccepted) => isAccepted !== true)) return;
      await wait(clock, step.againInMs);
      await Promise.all(bodies.map(submitOnce));
    },
  };
}

function isTooLate({ firstSentMs }: Submit, clock: Clock): boolean {
  return firstSentMs !== null && clock.steadyMs() - firstSentMs > REPEATED_FOR_MS;
}
