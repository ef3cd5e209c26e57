import { describe, expect, test } from "vitest";
import { phrase } from "../../src/i18n/phrase.ts";
import {
  createEsmeSession,
  deadlineMs,
  type EsmeInput,
  type EsmeOutput,
  type EsmeSession,
  type EsmeSettings,
  isBound,
  openSlots,
  stepEsme,
} from "../../src/smpp/esme-session.ts";
import { COMMAND_IDS, type Command, type Pdu } from "../../src/smpp/pdu.ts";
import { ESME_ACCEPTS, isForEsme, type SessionState } from "../../src/smpp/session-states.ts";
import { shortMessage, toStoredMessageId } from "../../src/smpp/short-message.ts";
import { bind, samplePdu } from "./sample-pdu.ts";

const settings: EsmeSettings = {
  kind: "transceiver",
  bind,
  window: 4,
  responseTimeoutMs: 20_000,
  enquireLinkMs: 30_000,
  history: { degraded: false, answersEnquiries: true },
};
const message = shortMessage({ destinationAddr: "22670123456" });
/** Something from the operator that answers nothing. */
const ALIVE: EsmeInput = {
  kind: "received",
  decoded: { ok: true, pdu: { command: "enquire_link_resp", sequence: 900, status: 0 } },
};

function received(pdu: Pdu): EsmeInput {
  return { kind: "received", decoded: { ok: true, pdu } };
}

/** A session that bound at 0 ms: the bind took sequence 1. */
function boundSession(changes: Partial<EsmeSettings> = {}): EsmeSession {
  const session = createEsmeSession({ ...settings, ...changes });
  stepEsme(session, { kind: "connected" }, 0);
  const command = `bind_${session.settings.kind}_resp` as const;
  const answer = received({ command, sequence: 1, status: 0, systemId: "SMSC", scInterfaceVersion: null });
  expect(stepEsme(session, answer, 0)[0]).toEqual({ kind: "bound" });
  return session;
}

/** Submits so many at one time; the refs are 101 and on, the sequences 2 and on. */
function submit(session: EsmeSession, count: number, nowMs = 0): void {
  for (let each = 1; each <= count; each++)
    stepEsme(session, { kind: "submit", ref: 100 + each, message }, nowMs);
}

function response(sequence: number, status = 0, messageId: string | null = "id"): EsmeInput {
  return received({ command: "submit_sm_resp", sequence, status, messageId });
}

function kinds(outputs: readonly EsmeOutput[]): string[] {
  return outputs.map((output) => (output.kind === "write" ? output.pdu.command : output.kind));
}

describe("binding", () => {
  for (const kind of ["transceiver", "transmitter", "receiver"] as const) {
    test(`a ${kind} binds as what it is`, () => {
      const session = createEsmeSession({ ...settings, kind });
      const pdu = { command: `bind_${kind}`, sequence: 1, status: 0, bind };
      expect(stepEsme(session, { kind: "connected" }, 0)).toEqual([
        { kind: "write", pdu, ref: null },
      ] as never);
      expect(isBound(boundSession({ kind }))).toBe(true);
    });
  }

  test("is followed by an enquire_link until the operator has answered one", () => {
    const experience = { degraded: false, answersEnquiries: false };
    const session = createEsmeSession({ ...settings, history: experience });
    stepEsme(session, { kind: "connected" }, 0);
    const answer = { sequence: 1, status: 0, systemId: "SMSC", scInterfaceVersion: null };
    const outputs = stepEsme(session, received({ command: "bind_transceiver_resp", ...answer }), 0);
    expect(kinds(outputs)).toEqual(["bound", "enquire_link"]);
    stepEsme(session, ALIVE, 5);
    expect(session.life.answersEnquiries).toBe(true);
  });

  test("a refusal tells its status and closes", () => {
    const session = createEsmeSession(settings);
    stepEsme(session, { kind: "connected" }, 0);
    const refusal = received({
      command: "bind_transceiver_resp",
      sequence: 1,
      status: 0x0d,
      systemId: null,
      scInterfaceVersion: null,
    });
    expect(stepEsme(session, refusal, 10)).toMatchObject([
      { kind: "bind_refused", status: 0x0d },
      { kind: "close" },
    ]);
  });

  test("a generic_nack of the bind is a refusal", () => {
    const session = createEsmeSession(settings);
    stepEsme(session, { kind: "connected" }, 0);
    const nack = received({ command: "generic_nack", sequence: 1, status: 0x03 });
    expect(kinds(stepEsme(session, nack, 10))).toEqual(["bind_refused", "close"]);
  });

  test("no answer in time closes", () => {
    const session = createEsmeSession(settings);
    stepEsme(session, { kind: "connected" }, 0);
    expect(deadlineMs(session)).toBe(20_000);
    expect(stepEsme(session, { kind: "tick" }, 19_999)).toEqual([]);
    expect(kinds(stepEsme(session, { kind: "tick" }, 20_000))).toEqual(["close"]);
  });
});

describe("submitting", () => {
  test("responses find their submit by sequence, in any order", () => {
    const session = boundSession();
    submit(session, 3);
    expect(stepEsme(session, response(4, 0, "c"), 5)).toEqual([
      { kind: "response", ref: 103, status: 0, messageId: "c", late: false },
    ]);
    expect(stepEsme(session, response(2, 0x58, null), 6)).toEqual([
      { kind: "response", ref: 101, status: 0x58, messageId: null, late: false },
    ]);
  });

  test("a second response to one submit and one to none are told and change nothing", () => {
    const session = boundSession();
    submit(session, 1);
    stepEsme(session, response(2), 5);
    expect(kinds(stepEsme(session, response(2), 6))).toEqual(["unexpected"]);
    expect(kinds(stepEsme(session, response(999), 6))).toEqual(["unexpected"]);
  });

  test("an empty message_id counts as none", () => {
    const session = boundSession();
    submit(session, 1);
    expect(stepEsme(session, response(2, 0, ""), 5)).toMatchObject([{ messageId: null }]);
  });

  test("a generic_nack of a submit is its refusal", () => {
    const session = boundSession();
    submit(session, 2);
    const nack = (sequence: number, status: number) =>
      received({ command: "generic_nack", sequence, status });
    expect(stepEsme(session, nack(2, 0x02), 5)).toMatchObject([{ kind: "response", ref: 101, status: 0x02 }]);
    expect(stepEsme(session, nack(3, 0), 5)).toMatchObject([{ kind: "response", ref: 102, status: 0xff }]);
  });

  test("a submit beyond the window is a bug", () => {
    const session = boundSession();
    submit(session, 4);
    expect(() => submit(session, 1)).toThrow("window");
  });

  test("a submit over a receiver bind is a bug", () => {
    expect(() => submit(boundSession({ kind: "receiver" }), 1)).toThrow("bound");
  });

  test("sequence numbers wrap to 1 and step over those in use", () => {
    const session = boundSession();
    session.lastSequence = 0x7fff_fffe;
    submit(session, 2);
    expect(session.submits.has(0x7fff_ffff)).toBe(true);
    expect(session.submits.has(1)).toBe(true);
    session.lastSequence = 0x7fff_fffe;
    const outputs = stepEsme(session, { kind: "submit", ref: 9, message }, 0);
    expect(outputs).toMatchObject([{ pdu: { sequence: 2 } }]);
  });
});

describe("submits without a response", () => {
  test("time out each at its own time, and the operator is asked whether it is there", () => {
    const session = boundSession();
    submit(session, 1, 1_000);
    stepEsme(session, { kind: "submit", ref: 7, message }, 2_000);
    // Half a response time of silence is worth asking about.
    expect(deadlineMs(session)).toBe(11_000);
    expect(kinds(stepEsme(session, { kind: "tick" }, 11_000))).toEqual(["enquire_link"]);
    expect(deadlineMs(session)).toBe(21_000);
    expect(stepEsme(session, { kind: "tick" }, 21_000)).toEqual([{ kind: "timed_out", refs: [101] }]);
    expect(session.submits.count()).toBe(1);
  });

  test("that time out after a sign of life are followed by another enquire_link", () => {
    const session = boundSession();
    submit(session, 1);
    stepEsme(session, { kind: "tick" }, 10_000);
    stepEsme(session, ALIVE, 10_005);
    expect(kinds(stepEsme(session, { kind: "tick" }, 20_000))).toEqual(["timed_out", "enquire_link"]);
  });

  test("a late response still settles its message, once", () => {
    const session = boundSession();
    submit(session, 1);
    stepEsme(session, { kind: "tick" }, 20_000);
    expect(openSlots(session)).toBe(3);
    expect(stepEsme(session, response(2, 0, "x"), 25_000)).toEqual([
      { kind: "response", ref: 101, status: 0, messageId: "x", late: true },
      { kind: "resumed" },
    ]);
    expect(openSlots(session)).toBe(4);
    expect(kinds(stepEsme(session, response(2, 0, "x"), 25_001))).toEqual(["unexpected"]);
  });

  test("are handed back, oldest first, when the link goes", () => {
    const session = boundSession();
    submit(session, 3);
    stepEsme(session, response(3), 5);
    expect(stepEsme(session, { kind: "closed" }, 10)).toEqual([{ kind: "lost", refs: [101, 103] }]);
    expect(stepEsme(session, { kind: "closed" }, 10)).toEqual([]);
    expect(deadlineMs(session)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("enquire_link", () => {
  test("is answered with its own sequence", () => {
    const outputs = stepEsme(
      boundSession(),
      received({ command: "enquire_link", sequence: 77, status: 0 }),
      5,
    );
    expect(outputs).toEqual([
      { kind: "write", pdu: { command: "enquire_link_resp", sequence: 77, status: 0 }, ref: null },
    ]);
  });

  test("asks after silence, and silence after it closes", () => {
    const session = boundSession();
    expect(deadlineMs(session)).toBe(30_000);
    expect(stepEsme(session, { kind: "tick" }, 29_999)).toEqual([]);
    expect(kinds(stepEsme(session, { kind: "tick" }, 30_000))).toEqual(["enquire_link"]);
    expect(deadlineMs(session)).toBe(50_000);
    expect(kinds(stepEsme(session, { kind: "tick" }, 50_000))).toEqual(["unbind", "close"]);
  });

  test("any PDU is a sign of life", () => {
    const session = boundSession();
    stepEsme(session, { kind: "tick" }, 30_000);
    stepEsme(session, received({ command: "alert_notification", sequence: 1, status: 0 }), 31_000);
    expect(stepEsme(session, { kind: "tick" }, 50_000)).toEqual([]);
    expect(deadlineMs(session)).toBe(61_000);
  });
});

describe("a link that falls silent", () => {
  test("is not cut while a submit may still be answered, and takes no more", () => {
    const session = boundSession();
    stepEsme(session, { kind: "tick" }, 30_000);
    submit(session, 1, 45_000);
    expect(openSlots(session)).toBe(3);
    expect(stepEsme(session, { kind: "tick" }, 50_000)).toEqual([]);
    expect(openSlots(session)).toBe(0);
    expect(deadlineMs(session)).toBe(65_000);
    // The answer is the sign of life that the enquire_link did not bring: nothing was lost or has to be sent again.
    expect(kinds(stepEsme(session, response(3), 64_000))).toEqual(["response", "resumed"]);
    expect(openSlots(session)).toBe(4);
    expect(stepEsme(session, { kind: "tick" }, 65_000)).toEqual([]);
  });

  test("is cut once its submits have timed out and nothing was heard all the same", () => {
    const session = boundSession();
    submit(session, 2);
    stepEsme(session, { kind: "tick" }, 10_000);
    expect(kinds(stepEsme(session, { kind: "tick" }, 20_000))).toEqual(["timed_out"]);
    expect(kinds(stepEsme(session, { kind: "tick" }, 29_999))).toEqual([]);
    expect(kinds(stepEsme(session, { kind: "tick" }, 30_000))).toEqual(["unbind", "close"]);
  });

  test("is given a whole interval of silence while its operator has never answered an enquire_link", () => {
    const session = boundSession({ history: { degraded: false, answersEnquiries: false } });
    submit(session, 3);
    expect(kinds(stepEsme(session, { kind: "tick" }, 20_000))).toEqual(["timed_out"]);
    // Not dead, and nothing more is risked.
    expect(kinds(stepEsme(session, { kind: "tick" }, 49_999))).toEqual(["resumed"]);
    expect(openSlots(session)).toBe(0);
    expect(kinds(stepEsme(session, response(3), 49_999))).toEqual(["response", "resumed"]);

    const silent = boundSession({ history: { degraded: false, answersEnquiries: false } });
    submit(silent, 3);
    for (const nowMs of [20_000, 40_000]) stepEsme(silent, { kind: "tick" }, nowMs);
    expect(kinds(stepEsme(silent, { kind: "tick" }, 50_000))).toEqual(["unbind", "close"]);
  });

  test("is cut at once when no submit waits, on a receiver too", () => {
    const session = boundSession({ kind: "receiver" });
    stepEsme(session, { kind: "tick" }, 30_000);
    expect(kinds(stepEsme(session, { kind: "tick" }, 50_000))).toEqual(["unbind", "close"]);
  });

  test("that answers submits and ignores enquire_link is never cut while there is traffic", () => {
    const session = boundSession({ enquireLinkMs: 1_000 });
    const outputs: string[] = [];
    const asked: number[] = [];
    for (let nowMs = 0; nowMs < 600_000; nowMs += 500) {
      // Every 15 s a submit, answered 12 s later.
      if (nowMs % 15_000 === 0) {
        submit(session, 1, nowMs);
        asked.push(session.lastSequence);
      }
      if (nowMs % 15_000 === 12_000)
        outputs.push(...kinds(stepEsme(session, response(asked.at(-1) ?? 0), nowMs)));
      outputs.push(...kinds(stepEsme(session, { kind: "tick" }, nowMs)));
    }
    expect(outputs).not.toContain("timed_out");
    expect(outputs).not.toContain("close");
    expect(outputs.filter((output) => output === "response")).toHaveLength(40);
  });
});

describe("an operator that is there and answers no submit", () => {
  /** Four submits of which none is answered in time, and signs of life all the while. */
  function unanswered(): EsmeSession {
    const session = boundSession();
    submit(session, 4);
    stepEsme(session, { kind: "tick" }, 10_000);
    stepEsme(session, ALIVE, 10_001);
    expect(kinds(stepEsme(session, { kind: "tick" }, 20_000))).toEqual(["timed_out", "enquire_link"]);
    return session;
  }
  const trial: EsmeInput = { kind: "submit", ref: 7, message };

  test("gets nothing until it shows a sign of life and had time to be late, and then one submit at a time", () => {
    const session = unanswered();
    expect(kinds(stepEsme(session, ALIVE, 20_010))).toEqual(["resumed"]);
    expect(openSlots(session)).toBe(0);
    expect(deadlineMs(session)).toBe(40_000);
    expect(kinds(stepEsme(session, { kind: "tick" }, 40_000))).toEqual(["resumed"]);
    expect(openSlots(session)).toBe(1);
    stepEsme(session, trial, 40_010);
    expect(openSlots(session)).toBe(0);
  });

  test("gets a whole window again once it answers a submit, a late answer too", () => {
    const inTime = unanswered();
    stepEsme(inTime, ALIVE, 20_010);
    stepEsme(inTime, { kind: "tick" }, 40_000);
    stepEsme(inTime, trial, 40_010);
    expect(kinds(stepEsme(inTime, response(inTime.lastSequence), 40_100))).toEqual(["response", "resumed"]);
    expect(openSlots(inTime)).toBe(4);

    const late = unanswered();
    expect(stepEsme(late, response(3), 26_000)).toEqual([
      { kind: "response", ref: 102, status: 0, messageId: "id", late: true },
      { kind: "resumed" },
    ]);
    // The three others are still with the operator.
    expect(openSlots(late)).toBe(1);
    stepEsme(late, { kind: "tick" }, 40_000);
    expect(openSlots(late)).toBe(4);
  });

  test("is bound anew when the one submit is not answered either, and the doubt goes along", () => {
    const session = unanswered();
    stepEsme(session, ALIVE, 20_010);
    stepEsme(session, { kind: "tick" }, 40_000);
    stepEsme(session, trial, 40_010);
    stepEsme(session, { kind: "tick" }, 50_010);
    stepEsme(session, ALIVE, 50_020);
    expect(kinds(stepEsme(session, { kind: "tick" }, 60_010))).toEqual(["timed_out", "unbind"]);
    // Answers that are on their way still come in.
    expect(kinds(stepEsme(session, response(3), 60_020))).toEqual(["response"]);
    for (const answersEnquiries of [true, false]) {
      const next = boundSession({ history: { degraded: true, answersEnquiries } });
      expect(openSlots(next)).toBe(1);
    }
  });

  test("is not doubted for single responses that it loses", () => {
    const session = boundSession();
    submit(session, 4);
    for (const sequence of [2, 3, 5]) stepEsme(session, response(sequence), 19_000);
    expect(kinds(stepEsme(session, { kind: "tick" }, 20_000))).toEqual(["timed_out", "enquire_link"]);
    expect(openSlots(session)).toBe(3);
  });
});

describe("deliver_sm and data_sm", () => {
  for (const command of ["deliver_sm", "data_sm"] as const) {
    // Keeps: behaviour 6.23, 6.24
    test(`${command} is handed over, and answered only when told`, () => {
      const session = boundSession();
      const outputs = stepEsme(session, received({ command, sequence: 9, status: 0, message }), 5);
      expect(outputs).toEqual([{ kind: "deliver", command, sequence: 9, message }]);
      const answer = { kind: "answer", to: command, sequence: 9 } as const;
      expect(stepEsme(session, { ...answer, status: 0 }, 6)).toMatchObject([
        { pdu: { command: `${command}_resp`, sequence: 9, status: 0, messageId: "" } },
      ]);
      stepEsme(session, { kind: "closed" }, 7);
      expect(stepEsme(session, { ...answer, status: 0 }, 8)).toEqual([]);
    });
  }

  test("one with a broken optional parameter behind its text is handed over, and told without its content", () => {
    for (const command of ["deliver_sm", "data_sm"] as const) {
      const told = shortMessage({ sourceAddr: "22670000001", tlvs: { messagePayload: Uint8Array.of(0x53) } });
      const pdu = { command, sequence: 9, status: 0, message: told };
      const outputs = stepEsme(
        boundSession(),
        { kind: "received", decoded: { ok: true, pdu, isBroken: true } },
        5,
      );
      expect(outputs).toEqual([
        { kind: "deliver", command, sequence: 9, message: told },
        { kind: "unexpected", what: `${command} has broken optional parameters`, detail: null },
      ]);
    }
  });

  test("one of which a broken optional parameter left nothing is refused", () => {
    const pdu = { command: "deliver_sm", sequence: 9, status: 0, message: shortMessage({}) } as const;
    const outputs = stepEsme(
      boundSession(),
      { kind: "received", decoded: { ok: true, pdu, isBroken: true } },
      5,
    );
    expect(outputs).toMatchObject([
      { pdu: { command: "deliver_sm_resp", sequence: 9, status: 0xc0 } },
      { kind: "unexpected" },
    ]);
  });

  test("one that cannot be read is refused with its sequence, and the link stays", () => {
    const failure = { ok: false, sequence: 9, status: 0xc0, reason: "broken" } as const;
    const refuse = (commandId: number) =>
      stepEsme(boundSession(), { kind: "received", decoded: { ...failure, commandId } }, 5);
    expect(refuse(COMMAND_IDS.deliver_sm)).toMatchObject([
      { pdu: { command: "deliver_sm_resp", sequence: 9, status: 0xc0 } },
      { kind: "unexpected" },
    ]);
    for (const other of [COMMAND_IDS.outbind, COMMAND_IDS.submit_sm]) {
      expect(refuse(other)).toMatchObject([
        { pdu: { command: "generic_nack", sequence: 9 } },
        { kind: "unexpected" },
      ]);
    }
    expect(kinds(refuse(COMMAND_IDS.submit_sm_resp))).toEqual(["unexpected"]);
  });
});

describe("unbinding", () => {
  test("ours waits for the answer, takes late responses, and closes", () => {
    const session = boundSession();
    submit(session, 1);
    expect(kinds(stepEsme(session, { kind: "leave", graceMs: 0, longestMs: 60_000 }, 5))).toEqual(["unbind"]);
    expect(kinds(stepEsme(session, response(2), 6))).toEqual(["response"]);
    expect(kinds(stepEsme(session, received({ command: "unbind_resp", sequence: 3, status: 0 }), 7))).toEqual(
      ["close"],
    );
  });

  test("ours without an answer closes after five seconds", () => {
    const session = boundSession();
    stepEsme(session, { kind: "leave", graceMs: 0, longestMs: 60_000 }, 100);
    expect(deadlineMs(session)).toBe(5_100);
    expect(kinds(stepEsme(session, { kind: "tick" }, 5_100))).toEqual(["close"]);
  });

  const theirs = received({ command: "unbind", sequence: 4, status: 0 });

  test("the operator's is answered, then the link closes", () => {
    expect(kinds(stepEsme(boundSession(), theirs, 5))).toEqual(["unbind_resp", "close"]);
  });

  test("the operator's is answered after the responses that follow it, so that no submit is left in doubt", () => {
    const session = boundSession();
    submit(session, 3);
    expect(stepEsme(session, theirs, 5)).toEqual([{ kind: "halt" }]);
    expect(openSlots(session)).toBe(0);
    // One of them had not left yet.
    expect(stepEsme(session, { kind: "withdrawn", refs: [103] }, 5)).toEqual([]);
    expect(kinds(stepEsme(session, response(3), 6))).toEqual(["response"]);
    expect(kinds(stepEsme(session, response(2), 7))).toEqual(["response", "unbind_resp", "close"]);
    expect(stepEsme(session, { kind: "closed" }, 8)).toEqual([]);
  });

  test("the operator's is answered without the responses after five seconds", () => {
    const session = boundSession();
    submit(session, 1);
    stepEsme(session, theirs, 100);
    expect(deadlineMs(session)).toBe(5_100);
    expect(kinds(stepEsme(session, { kind: "tick" }, 5_100))).toEqual(["unbind_resp", "close"]);
    expect(stepEsme(session, { kind: "closed" }, 5_101)).toEqual([{ kind: "lost", refs: [101] }]);
  });

  test("both at once end the session", () => {
    const session = boundSession();
    stepEsme(session, { kind: "leave", graceMs: 0, longestMs: 60_000 }, 5);
    expect(kinds(stepEsme(session, theirs, 6))).toEqual(["unbind_resp", "close"]);
  });
});

describe("leaving", () => {
  const leave: EsmeInput = { kind: "leave", graceMs: 2_000, longestMs: 9_000 };

  test("takes no more submits and unbinds with the last response", () => {
    const session = boundSession();
    submit(session, 2);
    expect(stepEsme(session, leave, 5)).toEqual([]);
    expect(openSlots(session)).toBe(0);
    expect(deadlineMs(session)).toBe(2_005);
    expect(kinds(stepEsme(session, response(2), 6))).toEqual(["response"]);
    expect(kinds(stepEsme(session, response(3), 7))).toEqual(["response", "unbind"]);
  });

  test("unbinds without the responses after the grace, and closes after the longest time", () => {
    const session = boundSession({ responseTimeoutMs: 20_000 });
    submit(session, 1);
    stepEsme(session, { ...leave, longestMs: 4_000 }, 0);
    expect(kinds(stepEsme(session, { kind: "tick" }, 1_999))).toEqual([]);
    expect(kinds(stepEsme(session, { kind: "tick" }, 2_000))).toEqual(["unbind"]);
    expect(deadlineMs(session)).toBe(4_000);
    expect(stepEsme(session, { kind: "tick" }, 4_000)).toEqual([
      { kind: "close", reason: phrase("link.stopped_unanswered") },
    ]);
  });

  test("closes at once where nothing is bound", () => {
    expect(kinds(stepEsme(createEsmeSession(settings), leave, 0))).toEqual(["close"]);
  });
});

/** Sets up a session in each state of the matrix. */
const inState: Record<SessionState, () => EsmeSession> = {
  OPEN: () => {
    const session = createEsmeSession(settings);
    stepEsme(session, { kind: "connected" }, 0);
    return session;
  },
  BOUND_TX: () => boundSession({ kind: "transmitter" }),
  BOUND_RX: () => boundSession({ kind: "receiver" }),
  BOUND_TRX: () => boundSession(),
  UNBINDING: () => {
    const session = boundSession();
    stepEsme(session, { kind: "leave", graceMs: 0, longestMs: 60_000 }, 0);
    return session;
  },
  CLOSED: () => createEsmeSession(settings),
};

// Keeps: behaviour 6.75
test("an id without measure is told as what is kept of it", () => {
  const session = boundSession();
  stepEsme(session, { kind: "submit", ref: 1, message: shortMessage({}) }, 1);
  const long = "B8BE19".repeat(10_000);
  const answer: Pdu = {
    command: "submit_sm_resp",
    sequence: session.lastSequence,
    status: 0,
    messageId: long,
  };
  expect(stepEsme(session, received(answer), 2)).toMatchObject([
    { kind: "response", messageId: toStoredMessageId(long) },
  ]);
});

describe("every command in every state", () => {
  const states = Object.keys(inState) as SessionState[];
  const commands = Object.keys(COMMAND_IDS) as Command[];

  for (const state of states) {
    test(`${state}: what is out of place is refused or noted, and changes nothing`, () => {
      for (const command of commands) {
        const session = inState[state]();
        expect(session.state).toBe(state);
        const outputs = kinds(stepEsme(session, received(samplePdu(command)), 1));
        const inPlace = isForEsme(command) && ESME_ACCEPTS[command].includes(state);
        if (state === "CLOSED") expect(outputs).toEqual([]);
        else if (inPlace) expect(outputs).not.toContain("generic_nack");
        else {
          expect(outputs.at(-1)).toBe("unexpected");
          const isRequest =
            !command.endsWith("_resp") && !["outbind", "alert_notification"].includes(command);
          expect(outputs.length).toBe(isRequest ? 2 : 1);
          expect(session.state).toBe(state);
        }
      }
    });
  }

  test("the matrix is SMPP 3.4 table 2-1 with the three allowances", () => {
    const table = Object.fromEntries(
      Object.entries(ESME_ACCEPTS).map(([command, places]) => [
        command,
        states.map((state) => (places.includes(state) ? "x" : ".")).join(""),
      ]),
    );
    expect(states).toEqual(["OPEN", "BOUND_TX", "BOUND_RX", "BOUND_TRX", "UNBINDING", "CLOSED"]);
    expect(table).toEqual({
      bind_receiver_resp: "x.....",
      bind_transmitter_resp: "x.....",
      bind_transceiver_resp: "x.....",
      outbind: "x.....",
      unbind: ".xxxx.",
      unbind_resp: "....x.",
      submit_sm_resp: ".x.xx.",
      deliver_sm: ".xxxx.",
      data_sm: ".xxxx.",
      data_sm_resp: "......",
      enquire_link: "xxxxx.",
      enquire_link_resp: "xxxxx.",
      alert_notification: "..xxx.",
      generic_nack: "xxxxx.",
    });
  });

  test("a command nobody knows is answered with RINVCMDID and its sequence, a response to one is not", () => {
    const unknown = (commandId: number) =>
      stepEsme(boundSession(), received({ command: "unsupported", commandId, sequence: 55, status: 0 }), 1);
    expect(unknown(0x03)).toMatchObject([
      { pdu: { command: "generic_nack", sequence: 55, status: 0x03 } },
      { kind: "unexpected" },
    ]);
    expect(kinds(unknown(0x80000003))).toEqual(["unexpected"]);
  });
});
