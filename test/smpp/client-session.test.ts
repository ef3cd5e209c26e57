import { describe, expect, test } from "vitest";
import { phrase } from "../../src/i18n/phrase.ts";
import { clientStep } from "../../src/smpp/client-session.ts";
import type { ClientInput, ClientOutput, ClientSettings } from "../../src/smpp/client-session-io.ts";
import { type ClientSession, createClientSession, isBound, placesLeft } from "../../src/smpp/client-state.ts";
import { deadlineMs } from "../../src/smpp/client-timers.ts";
import { COMMAND_IDS, type Command } from "../../src/smpp/command.ts";
import { keptId } from "../../src/smpp/message-id.ts";
import type { Pdu } from "../../src/smpp/pdu.ts";
import { CLIENT_TAKES, isForClient, type SessionState } from "../../src/smpp/session-matrix.ts";
import { shortMessage } from "../../src/smpp/short-message.ts";
import { bind, samplePdu } from "./sample-pdu.ts";

const settings: ClientSettings = {
  kind: "transceiver",
  bind,
  window: 4,
  responseTimeoutMs: 20_000,
  enquireLinkMs: 30_000,
  experience: { doubtful: false, answersEnquiries: true },
};
const message = shortMessage({ destinationAddr: "22670123456" });
/** Something from the operator that answers nothing. */
const ALIVE: ClientInput = {
  kind: "received",
  decoded: { ok: true, pdu: { command: "enquire_link_resp", sequence: 900, status: 0 } },
};

function received(pdu: Pdu): ClientInput {
  return { kind: "received", decoded: { ok: true, pdu } };
}

/** A session that bound at 0 ms: the bind took sequence 1. */
function boundSession(changes: Partial<ClientSettings> = {}): ClientSession {
  const session = createClientSession({ ...settings, ...changes });
  clientStep(session, { kind: "connected" }, 0);
  const command = `bind_${session.settings.kind}_resp` as const;
  const answer = received({ command, sequence: 1, status: 0, systemId: "SMSC", scInterfaceVersion: null });
  expect(clientStep(session, answer, 0)[0]).toEqual({ kind: "bound" });
  return session;
}

/** Submits so many at one time; the refs are 101 and on, the sequences 2 and on. */
function submit(session: ClientSession, count: number, nowMs = 0): void {
  for (let each = 1; each <= count; each++)
    clientStep(session, { kind: "submit", ref: 100 + each, message }, nowMs);
}

function response(sequence: number, status = 0, messageId: string | null = "id"): ClientInput {
  return received({ command: "submit_sm_resp", sequence, status, messageId });
}

function kinds(outputs: readonly ClientOutput[]): string[] {
  return outputs.map((output) => (output.kind === "write" ? output.pdu.command : output.kind));
}

describe("binding", () => {
  for (const kind of ["transceiver", "transmitter", "receiver"] as const) {
    test(`a ${kind} binds as what it is`, () => {
      const session = createClientSession({ ...settings, kind });
      const pdu = { command: `bind_${kind}`, sequence: 1, status: 0, bind };
      expect(clientStep(session, { kind: "connected" }, 0)).toEqual([
        { kind: "write", pdu, ref: null },
      ] as never);
      expect(isBound(boundSession({ kind }))).toBe(true);
    });
  }

  test("is followed by an enquire_link until the operator has answered one", () => {
    const experience = { doubtful: false, answersEnquiries: false };
    const session = createClientSession({ ...settings, experience });
    clientStep(session, { kind: "connected" }, 0);
    const answer = { sequence: 1, status: 0, systemId: "SMSC", scInterfaceVersion: null };
    const outputs = clientStep(session, received({ command: "bind_transceiver_resp", ...answer }), 0);
    expect(kinds(outputs)).toEqual(["bound", "enquire_link"]);
    clientStep(session, ALIVE, 5);
    expect(session.life.answersEnquiries).toBe(true);
  });

  test("a refusal tells its status and closes", () => {
    const session = createClientSession(settings);
    clientStep(session, { kind: "connected" }, 0);
    const refusal = received({
      command: "bind_transceiver_resp",
      sequence: 1,
      status: 0x0d,
      systemId: null,
      scInterfaceVersion: null,
    });
    expect(clientStep(session, refusal, 10)).toMatchObject([
      { kind: "bind_refused", status: 0x0d },
      { kind: "close" },
    ]);
  });

  test("a generic_nack of the bind is a refusal", () => {
    const session = createClientSession(settings);
    clientStep(session, { kind: "connected" }, 0);
    const nack = received({ command: "generic_nack", sequence: 1, status: 0x03 });
    expect(kinds(clientStep(session, nack, 10))).toEqual(["bind_refused", "close"]);
  });

  test("no answer in time closes", () => {
    const session = createClientSession(settings);
    clientStep(session, { kind: "connected" }, 0);
    expect(deadlineMs(session)).toBe(20_000);
    expect(clientStep(session, { kind: "tick" }, 19_999)).toEqual([]);
    expect(kinds(clientStep(session, { kind: "tick" }, 20_000))).toEqual(["close"]);
  });
});

describe("submitting", () => {
  test("responses find their submit by sequence, in any order", () => {
    const session = boundSession();
    submit(session, 3);
    expect(clientStep(session, response(4, 0, "c"), 5)).toEqual([
      { kind: "response", ref: 103, status: 0, messageId: "c", late: false },
    ]);
    expect(clientStep(session, response(2, 0x58, null), 6)).toEqual([
      { kind: "response", ref: 101, status: 0x58, messageId: null, late: false },
    ]);
  });

  test("a second response to one submit and one to none are told and change nothing", () => {
    const session = boundSession();
    submit(session, 1);
    clientStep(session, response(2), 5);
    expect(kinds(clientStep(session, response(2), 6))).toEqual(["unexpected"]);
    expect(kinds(clientStep(session, response(999), 6))).toEqual(["unexpected"]);
  });

  test("an empty message_id counts as none", () => {
    const session = boundSession();
    submit(session, 1);
    expect(clientStep(session, response(2, 0, ""), 5)).toMatchObject([{ messageId: null }]);
  });

  test("a generic_nack of a submit is its refusal", () => {
    const session = boundSession();
    submit(session, 2);
    const nack = (sequence: number, status: number) =>
      received({ command: "generic_nack", sequence, status });
    expect(clientStep(session, nack(2, 0x02), 5)).toMatchObject([
      { kind: "response", ref: 101, status: 0x02 },
    ]);
    expect(clientStep(session, nack(3, 0), 5)).toMatchObject([{ kind: "response", ref: 102, status: 0xff }]);
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
    const outputs = clientStep(session, { kind: "submit", ref: 9, message }, 0);
    expect(outputs).toMatchObject([{ pdu: { sequence: 2 } }]);
  });
});

describe("submits without a response", () => {
  test("time out each at its own time, and the operator is asked whether it is there", () => {
    const session = boundSession();
    submit(session, 1, 1_000);
    clientStep(session, { kind: "submit", ref: 7, message }, 2_000);
    // Half a response time of silence is worth asking about.
    expect(deadlineMs(session)).toBe(11_000);
    expect(kinds(clientStep(session, { kind: "tick" }, 11_000))).toEqual(["enquire_link"]);
    expect(deadlineMs(session)).toBe(21_000);
    expect(clientStep(session, { kind: "tick" }, 21_000)).toEqual([{ kind: "timed_out", refs: [101] }]);
    expect(session.submits.count()).toBe(1);
  });

  test("that time out after a sign of life are followed by another enquire_link", () => {
    const session = boundSession();
    submit(session, 1);
    clientStep(session, { kind: "tick" }, 10_000);
    clientStep(session, ALIVE, 10_005);
    expect(kinds(clientStep(session, { kind: "tick" }, 20_000))).toEqual(["timed_out", "enquire_link"]);
  });

  test("a late response still settles its message, once", () => {
    const session = boundSession();
    submit(session, 1);
    clientStep(session, { kind: "tick" }, 20_000);
    expect(placesLeft(session)).toBe(3);
    expect(clientStep(session, response(2, 0, "x"), 25_000)).toEqual([
      { kind: "response", ref: 101, status: 0, messageId: "x", late: true },
      { kind: "resumed" },
    ]);
    expect(placesLeft(session)).toBe(4);
    expect(kinds(clientStep(session, response(2, 0, "x"), 25_001))).toEqual(["unexpected"]);
  });

  test("are handed back, oldest first, when the link goes", () => {
    const session = boundSession();
    submit(session, 3);
    clientStep(session, response(3), 5);
    expect(clientStep(session, { kind: "closed" }, 10)).toEqual([{ kind: "lost", refs: [101, 103] }]);
    expect(clientStep(session, { kind: "closed" }, 10)).toEqual([]);
    expect(deadlineMs(session)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("enquire_link", () => {
  test("is answered with its own sequence", () => {
    const outputs = clientStep(
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
    expect(clientStep(session, { kind: "tick" }, 29_999)).toEqual([]);
    expect(kinds(clientStep(session, { kind: "tick" }, 30_000))).toEqual(["enquire_link"]);
    expect(deadlineMs(session)).toBe(50_000);
    expect(kinds(clientStep(session, { kind: "tick" }, 50_000))).toEqual(["unbind", "close"]);
  });

  test("any PDU is a sign of life", () => {
    const session = boundSession();
    clientStep(session, { kind: "tick" }, 30_000);
    clientStep(session, received({ command: "alert_notification", sequence: 1, status: 0 }), 31_000);
    expect(clientStep(session, { kind: "tick" }, 50_000)).toEqual([]);
    expect(deadlineMs(session)).toBe(61_000);
  });
});

describe("a link that falls silent", () => {
  test("is not cut while a submit may still be answered, and takes no more", () => {
    const session = boundSession();
    clientStep(session, { kind: "tick" }, 30_000);
    submit(session, 1, 45_000);
    expect(placesLeft(session)).toBe(3);
    expect(clientStep(session, { kind: "tick" }, 50_000)).toEqual([]);
    expect(placesLeft(session)).toBe(0);
    expect(deadlineMs(session)).toBe(65_000);
    // The answer is the sign of life that the enquire_link did not bring: nothing was lost or has to be sent again.
    expect(kinds(clientStep(session, response(3), 64_000))).toEqual(["response", "resumed"]);
    expect(placesLeft(session)).toBe(4);
    expect(clientStep(session, { kind: "tick" }, 65_000)).toEqual([]);
  });

  test("is cut once its submits have timed out and nothing was heard all the same", () => {
    const session = boundSession();
    submit(session, 2);
    clientStep(session, { kind: "tick" }, 10_000);
    expect(kinds(clientStep(session, { kind: "tick" }, 20_000))).toEqual(["timed_out"]);
    expect(kinds(clientStep(session, { kind: "tick" }, 29_999))).toEqual([]);
    expect(kinds(clientStep(session, { kind: "tick" }, 30_000))).toEqual(["unbind", "close"]);
  });

  test("is given a whole interval of silence while its operator has never answered an enquire_link", () => {
    const session = boundSession({ experience: { doubtful: false, answersEnquiries: false } });
    submit(session, 3);
    expect(kinds(clientStep(session, { kind: "tick" }, 20_000))).toEqual(["timed_out"]);
    // Not dead, and nothing more is risked.
    expect(kinds(clientStep(session, { kind: "tick" }, 49_999))).toEqual(["resumed"]);
    expect(placesLeft(session)).toBe(0);
    expect(kinds(clientStep(session, response(3), 49_999))).toEqual(["response", "resumed"]);

    const silent = boundSession({ experience: { doubtful: false, answersEnquiries: false } });
    submit(silent, 3);
    for (const nowMs of [20_000, 40_000]) clientStep(silent, { kind: "tick" }, nowMs);
    expect(kinds(clientStep(silent, { kind: "tick" }, 50_000))).toEqual(["unbind", "close"]);
  });

  test("is cut at once when no submit waits, on a receiver too", () => {
    const session = boundSession({ kind: "receiver" });
    clientStep(session, { kind: "tick" }, 30_000);
    expect(kinds(clientStep(session, { kind: "tick" }, 50_000))).toEqual(["unbind", "close"]);
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
        outputs.push(...kinds(clientStep(session, response(asked.at(-1) ?? 0), nowMs)));
      outputs.push(...kinds(clientStep(session, { kind: "tick" }, nowMs)));
    }
    expect(outputs).not.toContain("timed_out");
    expect(outputs).not.toContain("close");
    expect(outputs.filter((output) => output === "response")).toHaveLength(40);
  });
});

describe("an operator that is there and answers no submit", () => {
  /** Four submits of which none is answered in time, and signs of life all the while. */
  function unanswered(): ClientSession {
    const session = boundSession();
    submit(session, 4);
    clientStep(session, { kind: "tick" }, 10_000);
    clientStep(session, ALIVE, 10_001);
    expect(kinds(clientStep(session, { kind: "tick" }, 20_000))).toEqual(["timed_out", "enquire_link"]);
    return session;
  }
  const trial: ClientInput = { kind: "submit", ref: 7, message };

  test("gets nothing until it shows a sign of life and had time to be late, and then one submit at a time", () => {
    const session = unanswered();
    expect(kinds(clientStep(session, ALIVE, 20_010))).toEqual(["resumed"]);
    expect(placesLeft(session)).toBe(0);
    expect(deadlineMs(session)).toBe(40_000);
    expect(kinds(clientStep(session, { kind: "tick" }, 40_000))).toEqual(["resumed"]);
    expect(placesLeft(session)).toBe(1);
    clientStep(session, trial, 40_010);
    expect(placesLeft(session)).toBe(0);
  });

  test("gets a whole window again once it answers a submit, a late answer too", () => {
    const inTime = unanswered();
    clientStep(inTime, ALIVE, 20_010);
    clientStep(inTime, { kind: "tick" }, 40_000);
    clientStep(inTime, trial, 40_010);
    expect(kinds(clientStep(inTime, response(inTime.lastSequence), 40_100))).toEqual(["response", "resumed"]);
    expect(placesLeft(inTime)).toBe(4);

    const late = unanswered();
    expect(clientStep(late, response(3), 26_000)).toEqual([
      { kind: "response", ref: 102, status: 0, messageId: "id", late: true },
      { kind: "resumed" },
    ]);
    // The three others are still with the operator.
    expect(placesLeft(late)).toBe(1);
    clientStep(late, { kind: "tick" }, 40_000);
    expect(placesLeft(late)).toBe(4);
  });

  test("is bound anew when the one submit is not answered either, and the doubt goes along", () => {
    const session = unanswered();
    clientStep(session, ALIVE, 20_010);
    clientStep(session, { kind: "tick" }, 40_000);
    clientStep(session, trial, 40_010);
    clientStep(session, { kind: "tick" }, 50_010);
    clientStep(session, ALIVE, 50_020);
    expect(kinds(clientStep(session, { kind: "tick" }, 60_010))).toEqual(["timed_out", "unbind"]);
    // Answers that are on their way still come in.
    expect(kinds(clientStep(session, response(3), 60_020))).toEqual(["response"]);
    for (const answersEnquiries of [true, false]) {
      const next = boundSession({ experience: { doubtful: true, answersEnquiries } });
      expect(placesLeft(next)).toBe(1);
    }
  });

  test("is not doubted for single responses that it loses", () => {
    const session = boundSession();
    submit(session, 4);
    for (const sequence of [2, 3, 5]) clientStep(session, response(sequence), 19_000);
    expect(kinds(clientStep(session, { kind: "tick" }, 20_000))).toEqual(["timed_out", "enquire_link"]);
    expect(placesLeft(session)).toBe(3);
  });
});

describe("deliver_sm and data_sm", () => {
  for (const command of ["deliver_sm", "data_sm"] as const) {
    // Keeps: behaviour 6.23, 6.24
    test(`${command} is handed over, and answered only when told`, () => {
      const session = boundSession();
      const outputs = clientStep(session, received({ command, sequence: 9, status: 0, message }), 5);
      expect(outputs).toEqual([{ kind: "deliver", command, sequence: 9, message }]);
      const answer = { kind: "answer", to: command, sequence: 9 } as const;
      expect(clientStep(session, { ...answer, status: 0 }, 6)).toMatchObject([
        { pdu: { command: `${command}_resp`, sequence: 9, status: 0, messageId: "" } },
      ]);
      clientStep(session, { kind: "closed" }, 7);
      expect(clientStep(session, { ...answer, status: 0 }, 8)).toEqual([]);
    });
  }

  test("one with a broken optional parameter behind its text is handed over, and told without its content", () => {
    for (const command of ["deliver_sm", "data_sm"] as const) {
      const told = shortMessage({ sourceAddr: "22670000001", tlvs: { messagePayload: Uint8Array.of(0x53) } });
      const pdu = { command, sequence: 9, status: 0, message: told };
      const outputs = clientStep(
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
    const outputs = clientStep(
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
      clientStep(boundSession(), { kind: "received", decoded: { ...failure, commandId } }, 5);
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
    expect(kinds(clientStep(session, { kind: "leave", graceMs: 0, longestMs: 60_000 }, 5))).toEqual([
      "unbind",
    ]);
    expect(kinds(clientStep(session, response(2), 6))).toEqual(["response"]);
    expect(
      kinds(clientStep(session, received({ command: "unbind_resp", sequence: 3, status: 0 }), 7)),
    ).toEqual(["close"]);
  });

  test("ours without an answer closes after five seconds", () => {
    const session = boundSession();
    clientStep(session, { kind: "leave", graceMs: 0, longestMs: 60_000 }, 100);
    expect(deadlineMs(session)).toBe(5_100);
    expect(kinds(clientStep(session, { kind: "tick" }, 5_100))).toEqual(["close"]);
  });

  const theirs = received({ command: "unbind", sequence: 4, status: 0 });

  test("the operator's is answered, then the link closes", () => {
    expect(kinds(clientStep(boundSession(), theirs, 5))).toEqual(["unbind_resp", "close"]);
  });

  test("the operator's is answered after the responses that follow it, so that no submit is left in doubt", () => {
    const session = boundSession();
    submit(session, 3);
    expect(clientStep(session, theirs, 5)).toEqual([{ kind: "halt" }]);
    expect(placesLeft(session)).toBe(0);
    // One of them had not left yet.
    expect(clientStep(session, { kind: "withdrawn", refs: [103] }, 5)).toEqual([]);
    expect(kinds(clientStep(session, response(3), 6))).toEqual(["response"]);
    expect(kinds(clientStep(session, response(2), 7))).toEqual(["response", "unbind_resp", "close"]);
    expect(clientStep(session, { kind: "closed" }, 8)).toEqual([]);
  });

  test("the operator's is answered without the responses after five seconds", () => {
    const session = boundSession();
    submit(session, 1);
    clientStep(session, theirs, 100);
    expect(deadlineMs(session)).toBe(5_100);
    expect(kinds(clientStep(session, { kind: "tick" }, 5_100))).toEqual(["unbind_resp", "close"]);
    expect(clientStep(session, { kind: "closed" }, 5_101)).toEqual([{ kind: "lost", refs: [101] }]);
  });

  test("both at once end the session", () => {
    const session = boundSession();
    clientStep(session, { kind: "leave", graceMs: 0, longestMs: 60_000 }, 5);
    expect(kinds(clientStep(session, theirs, 6))).toEqual(["unbind_resp", "close"]);
  });
});

describe("leaving", () => {
  const leave: ClientInput = { kind: "leave", graceMs: 2_000, longestMs: 9_000 };

  test("takes no more submits and unbinds with the last response", () => {
    const session = boundSession();
    submit(session, 2);
    expect(clientStep(session, leave, 5)).toEqual([]);
    expect(placesLeft(session)).toBe(0);
    expect(deadlineMs(session)).toBe(2_005);
    expect(kinds(clientStep(session, response(2), 6))).toEqual(["response"]);
    expect(kinds(clientStep(session, response(3), 7))).toEqual(["response", "unbind"]);
  });

  test("unbinds without the responses after the grace, and closes after the longest time", () => {
    const session = boundSession({ responseTimeoutMs: 20_000 });
    submit(session, 1);
    clientStep(session, { ...leave, longestMs: 4_000 }, 0);
    expect(kinds(clientStep(session, { kind: "tick" }, 1_999))).toEqual([]);
    expect(kinds(clientStep(session, { kind: "tick" }, 2_000))).toEqual(["unbind"]);
    expect(deadlineMs(session)).toBe(4_000);
    expect(clientStep(session, { kind: "tick" }, 4_000)).toEqual([
      { kind: "close", reason: phrase("link.stopped_unanswered") },
    ]);
  });

  test("closes at once where nothing is bound", () => {
    expect(kinds(clientStep(createClientSession(settings), leave, 0))).toEqual(["close"]);
  });
});

/** Sets up a session in each state of the matrix. */
const inState: Record<SessionState, () => ClientSession> = {
  OPEN: () => {
    const session = createClientSession(settings);
    clientStep(session, { kind: "connected" }, 0);
    return session;
  },
  BOUND_TX: () => boundSession({ kind: "transmitter" }),
  BOUND_RX: () => boundSession({ kind: "receiver" }),
  BOUND_TRX: () => boundSession(),
  UNBINDING: () => {
    const session = boundSession();
    clientStep(session, { kind: "leave", graceMs: 0, longestMs: 60_000 }, 0);
    return session;
  },
  CLOSED: () => createClientSession(settings),
};

// Keeps: behaviour 6.75
test("an id without measure is told as what is kept of it", () => {
  const session = boundSession();
  clientStep(session, { kind: "submit", ref: 1, message: shortMessage({}) }, 1);
  const long = "B8BE19".repeat(10_000);
  const answer: Pdu = {
    command: "submit_sm_resp",
    sequence: session.lastSequence,
    status: 0,
    messageId: long,
  };
  expect(clientStep(session, received(answer), 2)).toMatchObject([
    { kind: "response", messageId: keptId(long) },
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
        const outputs = kinds(clientStep(session, received(samplePdu(command)), 1));
        const inPlace = isForClient(command) && CLIENT_TAKES[command].includes(state);
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
      Object.entries(CLIENT_TAKES).map(([command, places]) => [
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
      clientStep(boundSession(), received({ command: "unsupported", commandId, sequence: 55, status: 0 }), 1);
    expect(unknown(0x03)).toMatchObject([
      { pdu: { command: "generic_nack", sequence: 55, status: 0x03 } },
      { kind: "unexpected" },
    ]);
    expect(kinds(unknown(0x80000003))).toEqual(["unexpected"]);
  });
});
