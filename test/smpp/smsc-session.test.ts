import { describe, expect, test } from "vitest";
import { type BindKind, COMMAND_IDS, type Command, type Pdu } from "../../src/smpp/pdu.ts";
import { isForSmsc, type SessionState, SMSC_ACCEPTS } from "../../src/smpp/session-states.ts";
import { shortMessage } from "../../src/smpp/short-message.ts";
import {
  canDeliver,
  createSmscSession,
  maySubmit,
  type SmscInput,
  type SmscOutput,
  type SmscSession,
  type SmscSessionSettings,
  smscDeadlineMs,
  stepSmsc,
} from "../../src/smpp/smsc-session.ts";
import { samplePdu } from "./sample-pdu.ts";

const settings: SmscSessionSettings = {
  bindWithinMs: 60_000,
  enquireLinkMs: 30_000,
  responseTimeoutMs: 10_000,
};
const message = shortMessage({ destinationAddr: "22670123456" });

function received(pdu: Pdu): SmscInput {
  return { kind: "received", decoded: { ok: true, pdu } };
}

function kinds(outputs: readonly SmscOutput[]): string[] {
  return outputs.map((output) => (output.kind === "write" ? output.pdu.command : output.kind));
}

function openSession(changes: Partial<SmscSessionSettings> = {}): SmscSession {
  const session = createSmscSession(() => ({ ...settings, ...changes }));
  expect(stepSmsc(session, { kind: "connected" }, 0)).toEqual([]);
  return session;
}

const admitted: SmscInput = { kind: "bind_answer", status: 0, systemId: "SMSC", scInterfaceVersion: 0x34 };

/** A session whose client bound at 0 ms. */
function boundSession(
  kind: BindKind = "transceiver",
  changes: Partial<SmscSessionSettings> = {},
): SmscSession {
  const session = openSession(changes);
  expect(kinds(stepSmsc(session, received(samplePdu(`bind_${kind}`)), 0))).toEqual(["bind_asked"]);
  expect(kinds(stepSmsc(session, admitted, 0))).toEqual([`bind_${kind}_resp`, "bound"]);
  return session;
}

function deliver(session: SmscSession, ref: number, nowMs: number): SmscOutput[] {
  return stepSmsc(session, { kind: "deliver", command: "deliver_sm", ref, message }, nowMs);
}

function answerTo(sequence: number, status = 0): SmscInput {
  return received({ command: "deliver_sm_resp", sequence, status, messageId: "" });
}

describe("a bind", () => {
  test("is the owner's to admit, and says which way messages may pass", () => {
    const [transmitter, receiver] = [boundSession("transmitter"), boundSession("receiver")];
    expect([maySubmit(transmitter), canDeliver(transmitter)]).toEqual([true, false]);
    expect([maySubmit(receiver), canDeliver(receiver)]).toEqual([false, true]);
  });

  test("that is refused is answered with the status, and the link closed", () => {
    const session = openSession();
    stepSmsc(session, received(samplePdu("bind_transceiver")), 0);
    expect(stepSmsc(session, { ...admitted, status: 0x0e }, 5)).toMatchObject([
      { kind: "bind_refused", status: 0x0e },
      { kind: "write", pdu: { command: "bind_transceiver_resp", status: 0x0e, systemId: null } },
      { kind: "close" },
    ]);
  });

  test("while another one waits or stands is refused, and the link stays", () => {
    const session = openSession();
    stepSmsc(session, received(samplePdu("bind_transceiver")), 0);
    const second = received(samplePdu("bind_receiver"));
    expect(kinds(stepSmsc(session, second, 0))).toEqual(["bind_refused", "bind_receiver_resp", "unexpected"]);
    expect(kinds(stepSmsc(session, admitted, 0))).toEqual(["bind_transceiver_resp", "bound"]);
    expect(kinds(stepSmsc(session, second, 0)).at(-1)).toBe("unexpected");
    expect(session.state).toBe("BOUND_TRX");
  });

  test("of an older version is answered without optional parameters", () => {
    const session = openSession();
    const bind = { ...samplePdu("bind_transceiver"), sequence: 1 } as Pdu & { command: "bind_transceiver" };
    stepSmsc(session, received({ ...bind, bind: { ...bind.bind, interfaceVersion: 0x33 } }), 0);
    expect(stepSmsc(session, admitted, 0)).toMatchObject([{ pdu: { scInterfaceVersion: null } }, {}]);
  });

  test("that does not come in time closes the link", () => {
    const session = openSession({ enquireLinkMs: 90_000 });
    expect(smscDeadlineMs(session)).toBe(60_000);
    expect(kinds(stepSmsc(session, { kind: "tick" }, 59_999))).toEqual([]);
    expect(kinds(stepSmsc(session, { kind: "tick" }, 60_000))).toEqual(["close"]);
  });
});

describe("a submit", () => {
  test("is handed over and answered when told to", () => {
    const session = boundSession();
    const submit: Pdu = { command: "submit_sm", sequence: 9, status: 0, message };
    expect(stepSmsc(session, received(submit), 5)).toEqual([
      { kind: "submit", command: "submit_sm", sequence: 9, message },
    ]);
    const answer = { kind: "answer", to: "submit_sm", sequence: 9, status: 0, messageId: "id" } as const;
    expect(stepSmsc(session, answer, 6)).toMatchObject([
      { pdu: { command: "submit_sm_resp", sequence: 9, status: 0, messageId: "id" } },
    ]);
    stepSmsc(session, { kind: "closed" }, 7);
    expect(stepSmsc(session, answer, 8)).toEqual([]);
  });

  test("out of place is refused and told", () => {
    for (const session of [openSession(), boundSession("receiver")]) {
      const outputs = stepSmsc(session, received(samplePdu("submit_sm")), 5);
      expect(outputs).toMatchObject([
        { pdu: { command: "submit_sm_resp", status: 0x04, messageId: null } },
        { kind: "misplaced_submit" },
      ]);
    }
  });
});

describe("a deliver_sm", () => {
  test("is told as delivered by its answer, once", () => {
    const session = boundSession();
    expect(deliver(session, 70, 5)).toMatchObject([{ pdu: { command: "deliver_sm", sequence: 1 }, ref: 70 }]);
    deliver(session, 71, 5);
    expect(session.deliveries.count()).toBe(2);
    expect(stepSmsc(session, answerTo(2, 0x14), 6)).toEqual([
      { kind: "delivered", ref: 71, status: 0x14, late: false },
    ]);
    expect(kinds(stepSmsc(session, answerTo(2), 7))).toEqual(["unexpected"]);
  });

  test("without an answer in time is told, and a late answer still finds it", () => {
    const session = boundSession();
    deliver(session, 70, 5);
    expect(smscDeadlineMs(session)).toBe(10_005);
    expect(stepSmsc(session, { kind: "tick" }, 10_005)).toEqual([{ kind: "timed_out", refs: [70] }]);
    expect(stepSmsc(session, answerTo(1), 12_000)).toMatchObject([{ ref: 70, late: true }]);
  });

  test("that is nacked is answered, and out of order", () => {
    const session = boundSession();
    deliver(session, 70, 5);
    const nack = received({ command: "generic_nack", sequence: 1, status: 0x03 });
    expect(kinds(stepSmsc(session, nack, 6))).toEqual(["delivered", "unexpected"]);
  });

  test("is handed back when the link goes, and is a bug on a transmitter", () => {
    const session = boundSession();
    for (const ref of [70, 71]) deliver(session, ref, 5);
    expect(stepSmsc(session, { kind: "closed" }, 6)).toEqual([{ kind: "lost", refs: [70, 71] }]);
    expect(smscDeadlineMs(session)).toBe(Number.POSITIVE_INFINITY);
    expect(() => deliver(boundSession("transmitter"), 1, 0)).toThrow("bound to receive");
  });
});

describe("the link", () => {
  test("is asked for a sign of life, and closed without one", () => {
    const session = boundSession();
    expect(smscDeadlineMs(session)).toBe(30_000);
    expect(kinds(stepSmsc(session, { kind: "tick" }, 30_000))).toEqual(["enquire_link"]);
    stepSmsc(session, received({ command: "enquire_link_resp", sequence: 1, status: 0 }), 30_001);
    expect(kinds(stepSmsc(session, { kind: "tick" }, 60_000))).toEqual(["enquire_link"]);
    expect(kinds(stepSmsc(session, { kind: "tick" }, 90_000))).toEqual(["close"]);
  });

  test("takes submits and answers after its unbind, and closes with the answer", () => {
    const session = boundSession();
    deliver(session, 70, 0);
    expect(kinds(stepSmsc(session, { kind: "unbind" }, 5))).toEqual(["unbind"]);
    expect(canDeliver(session)).toBe(false);
    expect(kinds(stepSmsc(session, received(samplePdu("submit_sm")), 6))).toEqual(["submit"]);
    expect(kinds(stepSmsc(session, answerTo(1), 6))).toEqual(["delivered"]);
    expect(kinds(stepSmsc(session, received(samplePdu("unbind_resp")), 7))).toEqual(["close"]);
  });

  test("what cannot be read is refused with its sequence, as a response only where it is for a centre", () => {
    const failure = { ok: false, sequence: 9, status: 0x02, reason: "cut short" } as const;
    for (const [commandId, command] of [
      [COMMAND_IDS.submit_sm, "submit_sm_resp"],
      [COMMAND_IDS.deliver_sm, "generic_nack"],
    ] as const) {
      const decoded = { ...failure, commandId };
      expect(stepSmsc(boundSession(), { kind: "received", decoded }, 5)).toMatchObject([
        { pdu: { command, sequence: 9, status: 0x02 } },
        { kind: "unexpected" },
      ]);
    }
  });
});

/** Sets up a session in each state of the matrix. */
describe("query_sm and cancel_sm", () => {
  test("are handed over, and answered when told to", () => {
    const session = boundSession();
    const outputs = stepSmsc(session, received(samplePdu("query_sm")), 5);
    expect(outputs).toMatchObject([
      { kind: "operation", command: "query_sm", operation: { messageId: "m" } },
    ]);
    const response = { command: "cancel_sm_resp", sequence: 4, status: 0 } as const;
    expect(stepSmsc(session, { kind: "answer_operation", response }, 6)).toMatchObject([{ pdu: response }]);
  });

  test("out of place are refused by their own responses, without a body", () => {
    for (const session of [openSession(), boundSession("receiver")])
      for (const command of ["query_sm", "cancel_sm"] as const)
        expect(stepSmsc(session, received(samplePdu(command)), 5)).toMatchObject([
          { kind: "write", pdu: { command: `${command}_resp`, status: 0x04 } },
          { kind: "unexpected" },
        ]);
  });
});

describe("a command that is known and not spoken", () => {
  test("is refused by its own response, others by a generic_nack", () => {
    const answerTo = (commandId: number) => {
      const pdu: Pdu = { command: "unsupported", commandId, sequence: 9, status: 0 };
      const [output] = stepSmsc(boundSession(), received(pdu), 5);
      return output?.kind === "write" ? [output.pdu.command, output.pdu.status, output.pdu.sequence] : [];
    };
    expect(answerTo(0x07)).toEqual(["replace_sm_resp", 0x03, 9]);
    expect(answerTo(0x21)).toEqual(["submit_multi_resp", 0x03, 9]);
    expect(answerTo(0x0001_0203)).toEqual(["generic_nack", 0x03, 9]);
  });
});

describe("a client that is asked on silence", () => {
  const onSilence = { enquiresOnSilence: true, responseTimeoutMs: Number.POSITIVE_INFINITY };
  const tick = (session: SmscSession, nowMs: number) => kinds(stepSmsc(session, { kind: "tick" }, nowMs));

  test("is left alone while it sends, asked once it is silent, and cut when that lasts", () => {
    const session = boundSession("transceiver", onSilence);
    stepSmsc(session, received(samplePdu("enquire_link")), 20_000);
    expect(smscDeadlineMs(session)).toBe(50_000);
    expect(tick(session, 49_999)).toEqual([]);
    expect(tick(session, 50_000)).toEqual(["enquire_link"]);
    expect(smscDeadlineMs(session)).toBe(80_000);
    expect(tick(session, 80_000)).toEqual(["close"]);
  });

  test("is alive by any PDU at all", () => {
    const session = boundSession("transceiver", onSilence);
    expect(tick(session, 30_000)).toEqual(["enquire_link"]);
    stepSmsc(session, received(samplePdu("submit_sm")), 55_000);
    expect(tick(session, 60_000)).toEqual([]);
    expect(tick(session, 85_000)).toEqual(["enquire_link"]);
  });

  test("can be asked at any time, once bound", () => {
    const open = openSession(onSilence);
    expect(stepSmsc(open, { kind: "enquire" }, 5)).toEqual([]);
    const session = boundSession("transceiver", onSilence);
    expect(kinds(stepSmsc(session, { kind: "enquire" }, 5))).toEqual(["enquire_link"]);
    expect(kinds(stepSmsc(session, { kind: "enquire" }, 6))).toEqual([]);
  });
});

test("a bind that came in time waits for its answer, however long that takes", () => {
  const session = openSession({ enquireLinkMs: 300_000 });
  stepSmsc(session, received(samplePdu("bind_transceiver")), 59_000);
  expect(kinds(stepSmsc(session, { kind: "tick" }, 61_000))).toEqual([]);
  expect(kinds(stepSmsc(session, admitted, 62_000))).toEqual(["bind_transceiver_resp", "bound"]);
});

const inState: Record<SessionState, () => SmscSession> = {
  OPEN: () => openSession(),
  BOUND_TX: () => boundSession("transmitter"),
  BOUND_RX: () => boundSession("receiver"),
  BOUND_TRX: () => boundSession(),
  UNBINDING: () => {
    const session = boundSession();
    stepSmsc(session, { kind: "unbind" }, 0);
    return session;
  },
  CLOSED: () => createSmscSession(() => settings),
};

describe("every command in every state", () => {
  const states = Object.keys(inState) as SessionState[];

  for (const state of states) {
    test(`${state}: what is out of place is refused or noted, and changes nothing`, () => {
      for (const command of Object.keys(COMMAND_IDS) as Command[]) {
        const session = inState[state]();
        const outputs = kinds(stepSmsc(session, received(samplePdu(command)), 1));
        const inPlace = isForSmsc(command) && SMSC_ACCEPTS[command].includes(state);
        if (state === "CLOSED") expect(outputs).toEqual([]);
        else if (!inPlace) {
          expect(outputs.some((kind) => ["unexpected", "misplaced_submit"].includes(kind))).toBe(true);
          expect(session.state).toBe(state);
        } else expect(outputs).not.toContain("misplaced_submit");
      }
    });
  }

  test("the matrix is SMPP 3.4 table 2-1 with its allowances", () => {
    const table = Object.fromEntries(
      Object.entries(SMSC_ACCEPTS).map(([command, places]) => [
        command,
        states.map((state) => (places.includes(state) ? "x" : ".")).join(""),
      ]),
    );
    expect(table).toEqual({
      bind_receiver: "x.....",
      bind_transmitter: "x.....",
      bind_transceiver: "x.....",
      unbind: ".xxxx.",
      unbind_resp: "....x.",
      submit_sm: ".x.xx.",
      data_sm: ".x.xx.",
      query_sm: ".x.xx.",
      cancel_sm: ".x.xx.",
      deliver_sm_resp: "..xxx.",
      data_sm_resp: "..xxx.",
      enquire_link: "xxxxx.",
      enquire_link_resp: "xxxxx.",
      alert_notification: "xxxxx.",
      generic_nack: "xxxxx.",
    });
  });
});
