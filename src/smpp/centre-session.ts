/**
 * A centre's SMPP session with one client, from connect to close, as a machine without effects: the counterpart of
 * client-session.ts. Who may bind and what becomes of a submit are its owner's to say, at once or later; all else that the
 * protocol demands is decided here.
 */

import { assert } from "../core/assert.ts";
import { phrase } from "../i18n/phrase.ts";
import { receive, refuseBind } from "./centre-incoming.ts";
import type { CentreInput, CentreOutput, CentreSettings } from "./centre-session-io.ts";
import { type CentreSession, canDeliver, centreSequence } from "./centre-state.ts";
import { pendingRequests } from "./pending-requests.ts";
import { BOUND_STATE } from "./session-matrix.ts";
import { closing, write } from "./session-output.ts";
import { STATUS } from "./status.ts";

const VERSION = 0x34;

export function createCentreSession(settings: () => CentreSettings): CentreSession {
  return {
    settings,
    state: "CLOSED",
    bind: null,
    deliveries: pendingRequests(),
    lastSequence: 0,
    connectedAtMs: 0,
    enquiredAtMs: 0,
    isEnquired: false,
  };
}

/** When the session wants its next tick; Infinity when it waits for nothing. */
export function centreDeadlineMs(session: CentreSession): number {
  if (session.state === "CLOSED") return Number.POSITIVE_INFINITY;
  const { bindWithinMs, enquireLinkMs, responseTimeoutMs } = session.settings();
  const bindByMs = session.state === "OPEN" ? session.connectedAtMs + bindWithinMs : Number.POSITIVE_INFINITY;
  const answerByMs = session.deliveries.oldestSentMs() + responseTimeoutMs;
  return Math.min(bindByMs, session.enquiredAtMs + enquireLinkMs, answerByMs);
}

/** Takes one input at a time that never runs backwards, and tells what is to be done about it. */
export function centreStep(session: CentreSession, input: CentreInput, nowMs: number): CentreOutput[] {
  if (input.kind === "connected") {
    assert(session.state === "CLOSED" && session.lastSequence === 0, "a session begins once");
    session.state = "OPEN";
    session.connectedAtMs = nowMs;
    session.enquiredAtMs = nowMs;
    return [];
  }
  if (session.state === "CLOSED") return [];
  switch (input.kind) {
    case "received":
      return receive(session, input.decoded);
    case "tick":
      return tick(session, nowMs);
    case "bind_answer":
      return answerBind(session, input);
    case "answer": {
      const { to, sequence, status, messageId } = input;
      return [write({ command: `${to}_resp`, sequence, status, messageId })];
    }
    case "deliver": {
      assert(canDeliver(session), "a deliver_sm needs a session that is bound to receive");
      const { command, ref, message } = input;
      const sequence = centreSequence(session);
      session.deliveries.add(sequence, ref, nowMs);
      return [write({ command, sequence, status: STATUS.ROK, message }, ref)];
    }
    case "unbind":
      if (session.state === "OPEN") return [];
      session.state = "UNBINDING";
      return [write({ command: "unbind", sequence: centreSequence(session), status: STATUS.ROK })];
    case "closed": {
      session.state = "CLOSED";
      const refs = session.deliveries.drain();
      return refs.length > 0 ? [{ kind: "lost", refs }] : [];
    }
  }
}

function tick(session: CentreSession, nowMs: number): CentreOutput[] {
  const { bindWithinMs, enquireLinkMs, responseTimeoutMs } = session.settings();
  const isBound = session.state !== "OPEN";
  if (!isBound && nowMs >= session.connectedAtMs + bindWithinMs) return [closing(phrase("link.late_bind"))];
  const outputs: CentreOutput[] = [];
  const refs = session.deliveries.expire(nowMs - responseTimeoutMs, nowMs);
  session.deliveries.letGo(nowMs);
  if (refs.length > 0) outputs.push({ kind: "timed_out", refs });
  if (nowMs < session.enquiredAtMs + enquireLinkMs) return outputs;
  if (session.isEnquired) return [...outputs, closing(phrase("link.enquiry_unanswered"))];
  session.enquiredAtMs = nowMs;
  session.isEnquired = isBound;
  if (!isBound) return outputs;
  const sequence = centreSequence(session);
  return [...outputs, write({ command: "enquire_link", sequence, status: STATUS.ROK })];
}

function answerBind(session: CentreSession, answer: CentreInput & { kind: "bind_answer" }): CentreOutput[] {
  const { bind } = session;
  assert(bind !== null && session.state === "OPEN", "no bind waits for an answer");
  const { status, systemId } = answer;
  if (status !== STATUS.ROK) return [...refuseBind(bind, status), closing(phrase("link.own_bind_refused"))];
  session.state = BOUND_STATE[bind.kind];
  // A client of an older version knows no optional parameters (SMPP 3.4 section 2.10).
  const scInterfaceVersion = bind.fields.interfaceVersion < VERSION ? null : answer.scInterfaceVersion;
  const command = `bind_${bind.kind}_resp` as const;
  return [
    write({ command, sequence: bind.sequence, status, systemId, scInterfaceVersion }),
    { kind: "bound", bind },
  ];
}
