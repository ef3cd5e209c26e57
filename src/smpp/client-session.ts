/**
 * A client's SMPP session from connect to close, as a machine without effects: what comes out depends on the inputs and
 * their times alone. It changes its own record (client-state.ts), and the link carries out what it returns.
 *
 * A submit without a response within the response time is reported and its link stays up, because operators do lose
 * single responses. When the link itself is doubted and given up is liveness.ts.
 */

import { assert } from "../core/assert.ts";
import { phrase } from "../i18n/phrase.ts";
import { receive } from "./client-incoming.ts";
import type { ClientInput, ClientOutput } from "./client-session-io.ts";
import {
  answerUnbind,
  type ClientSession,
  canSubmitNow,
  isBound,
  NEVER,
  nextSequence,
  placesLeft,
  unbind,
} from "./client-state.ts";
import { leave, tick } from "./client-timers.ts";
import { submitted } from "./liveness.ts";
import { closing, write } from "./session-output.ts";
import type { ShortMessage } from "./short-message.ts";

/** Takes one input at a time that never runs backwards, and tells what is to be done about it. */
export function clientStep(session: ClientSession, input: ClientInput, nowMs: number): ClientOutput[] {
  const outputs = take(session, input, nowMs);
  const mayLeave = session.leaving !== null && isBound(session) && session.submits.count() === 0;
  return mayLeave ? [...outputs, ...unbind(session, phrase("link.unbound"), nowMs)] : outputs;
}

function take(session: ClientSession, input: ClientInput, nowMs: number): ClientOutput[] {
  switch (input.kind) {
    case "connected":
      return begin(session, nowMs);
    case "received":
      return receive(session, input.decoded, nowMs);
    case "tick":
      return tick(session, nowMs);
    case "submit":
      return submit(session, input.ref, input.message, nowMs);
    case "answer": {
      if (session.state === "CLOSED") return [];
      const { to, sequence, status } = input;
      return [write({ command: `${to}_resp`, sequence, status, messageId: status ? null : "" })];
    }
    case "leave":
      return beginToLeave(session, input, nowMs);
    case "settings": {
      const { responseTimeoutMs, enquireLinkMs } = input.settings;
      session.settings = input.settings;
      Object.assign(session.life, { responseTimeoutMs, enquireLinkMs });
      return [];
    }
    case "withdrawn":
      session.submits.withdraw(input.refs);
      return answerUnbind(session, nowMs);
    case "closed": {
      session.state = "CLOSED";
      const refs = session.submits.drain();
      return refs.length > 0 ? [{ kind: "lost", refs }] : [];
    }
  }
}

function begin(session: ClientSession, nowMs: number): ClientOutput[] {
  assert(session.state === "CLOSED" && session.lastSequence === 0, "a session begins once");
  const { kind, bind, responseTimeoutMs } = session.settings;
  session.state = "OPEN";
  session.life.heardAtMs = nowMs;
  session.bindSequence = nextSequence(session);
  session.bindDeadlineMs = nowMs + responseTimeoutMs;
  return [write({ command: `bind_${kind}`, sequence: session.bindSequence, status: 0, bind })];
}

function beginToLeave(
  session: ClientSession,
  { graceMs, longestMs }: Extract<ClientInput, { kind: "leave" }>,
  nowMs: number,
): ClientOutput[] {
  const before = session.leaving;
  const closeAtMs = Math.min(before?.closeAtMs ?? NEVER, nowMs + longestMs);
  // What is waited for already has its own end: answers that are due may still come.
  const isUnbinding = session.state === "UNBINDING";
  const unbindAtMs = Math.min(before?.unbindAtMs ?? NEVER, nowMs + Math.min(graceMs, longestMs));
  session.leaving = { unbindAtMs: isUnbinding ? NEVER : unbindAtMs, closeAtMs };
  if (isUnbinding) return leave(session, nowMs);
  return isBound(session) ? leave(session, nowMs) : [closing(phrase("link.stopped"))];
}

function submit(session: ClientSession, ref: number, message: ShortMessage, nowMs: number): ClientOutput[] {
  assert(canSubmitNow(session), "a submit needs a bound session");
  assert(placesLeft(session) > 0, "a submit needs a place in the window");
  submitted(session.life, ref);
  const sequence = nextSequence(session);
  session.submits.add(sequence, ref, nowMs);
  return [{ kind: "write", pdu: { command: "submit_sm", sequence, status: 0, message }, ref }];
}
