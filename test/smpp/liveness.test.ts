import { describe, expect, test } from "vitest";
import {
  createEsmeSession,
  deadlineMs,
  type EsmeOutput,
  type EsmeSession,
  openSlots,
  stepEsme,
} from "../../src/smpp/esme-session.ts";
import { NO_HISTORY, toHistory } from "../../src/smpp/liveness.ts";
import type { Pdu } from "../../src/smpp/pdu.ts";
import { shortMessage } from "../../src/smpp/short-message.ts";
import { seeded, seeds } from "../kit/seeds.ts";
import { seededChance } from "../kit/test-chance.ts";
import { bind } from "./sample-pdu.ts";

/** How an operator behaves for a while: after what delay it answers submits and enquire_link; null is never. */
type Mood = { readonly submitMs: number | null; readonly enquiryMs: number | null; readonly lost: number };

const HEALTHY: Mood = { submitMs: 100, enquiryMs: 20, lost: 0 };
const MOODS: readonly Mood[] = [
  HEALTHY,
  { submitMs: 100, enquiryMs: null, lost: 0 },
  { submitMs: 15_000, enquiryMs: null, lost: 0 },
  { submitMs: 27_000, enquiryMs: 20, lost: 0 },
  { submitMs: 27_000, enquiryMs: null, lost: 0 },
  { submitMs: null, enquiryMs: 20, lost: 0 },
  { submitMs: null, enquiryMs: null, lost: 0 },
  { submitMs: 100, enquiryMs: 20, lost: 0.3 },
];

const WINDOW = 5;
const TICK_MS = 100;
const RECONNECT_MS = 5_000;
const message = shortMessage({ destinationAddr: "22670123456" });

/** Plays an operator of changing moods against sessions that follow one another, a submit wanting to leave all the time. */
function play(seed: number, moodOf: (nowMs: number) => Mood, untilMs: number) {
  const chance = seededChance(seed);
  const told = new Map<number, string[]>();
  const answeredAtMs: number[] = [];
  let experience = NO_HISTORY;
  let session: EsmeSession | null = null;
  let connectAtMs = 0;
  let ref = 0;
  let mail: { readonly atMs: number; readonly of: EsmeSession; readonly pdu: Pdu }[] = [];

  const tell = (about: number, what: string) => told.get(about)?.push(what);

  const perform = (of: EsmeSession, outputs: readonly EsmeOutput[], nowMs: number): void => {
    const { submitMs, enquiryMs, lost } = moodOf(nowMs);
    const reply = (delayMs: number | null, pdu: Pdu): void => {
      if (delayMs !== null && chance.fraction() >= lost) mail.push({ atMs: nowMs + delayMs, of, pdu });
    };
    for (const output of outputs) {
      if (output.kind === "response") {
        tell(output.ref, output.late ? "late" : "answered");
        answeredAtMs.push(nowMs);
      }
      if (output.kind === "timed_out" || output.kind === "lost")
        for (const each of output.refs) tell(each, "unanswered");
      if (output.kind === "close") {
        perform(of, stepEsme(of, { kind: "closed" }, nowMs), nowMs);
        session = null;
        connectAtMs = nowMs + RECONNECT_MS;
      }
      if (output.kind !== "write") continue;
      const { command, sequence } = output.pdu;
      if (command === "bind_transceiver") {
        const pdu = { command: "bind_transceiver_resp", sequence, status: 0, systemId: "S" } as const;
        mail.push({ atMs: nowMs + 10, of, pdu: { ...pdu, scInterfaceVersion: null } });
      }
      if (command === "submit_sm")
        reply(submitMs, { command: "submit_sm_resp", sequence, status: 0, messageId: "x" });
      if (command === "enquire_link") reply(enquiryMs, { command: "enquire_link_resp", sequence, status: 0 });
      if (command === "unbind") reply(enquiryMs, { command: "unbind_resp", sequence, status: 0 });
    }
    experience = toHistory(of.life);
  };

  for (let nowMs = 0; nowMs < untilMs; nowMs += TICK_MS) {
    if (session === null && nowMs >= connectAtMs) {
      session = createEsmeSession({
        kind: "transceiver",
        bind,
        window: WINDOW,
        responseTimeoutMs: 20_000,
        enquireLinkMs: 30_000,
        history: experience,
      });
      perform(session, stepEsme(session, { kind: "connected" }, nowMs), nowMs);
    }
    const due = mail.filter(({ atMs }) => atMs <= nowMs);
    mail = mail.filter(({ atMs }) => atMs > nowMs);
    for (const { of, pdu } of due) {
      if (of === session)
        perform(of, stepEsme(of, { kind: "received", decoded: { ok: true, pdu } }, nowMs), nowMs);
    }
    if (session !== null && deadlineMs(session) <= nowMs) {
      perform(session, stepEsme(session, { kind: "tick" }, nowMs), nowMs);
    }
    if (session !== null && openSlots(session) > 0) {
      ref += 1;
      told.set(ref, []);
      perform(session, stepEsme(session, { kind: "submit", ref, message }, nowMs), nowMs);
      expect(session.submits.count()).toBeLessThanOrEqual(WINDOW);
    }
  }
  return { told, answeredAtMs };
}

describe("whatever an operator does", () => {
  const SICK_MS = 600_000;
  const WELL_MS = 200_000;

  test.each(seeds(40))(
    "the link is not wedged when it is well again, and every submit is told once (seed %d)",
    seeded((chance, seed) => {
      const moods = Array.from({ length: 20 }, () => MOODS[Math.floor(chance.fraction() * MOODS.length)]!);
      const moodOf = (nowMs: number) =>
        nowMs < SICK_MS ? moods[Math.floor(nowMs / (SICK_MS / moods.length))]! : HEALTHY;
      const { told, answeredAtMs } = play(seed, moodOf, SICK_MS + WELL_MS);
      for (const [ref, words] of told) {
        if (ref <= told.size - WINDOW)
          expect(["answered", "unanswered", "unanswered late"]).toContain(words.join(" "));
      }
      // Well for a while: answers come as fast as one submit a tick goes out.
      const lately = answeredAtMs.filter((atMs) => atMs > SICK_MS + WELL_MS - 50_000).length;
      expect(lately).toBeGreaterThan(450);
    }),
  );
});

describe("an operator that keeps its link and answers no submit", () => {
  test("costs one doubtful submit a response time, and not a window", () => {
    const silent: Mood = { submitMs: null, enquiryMs: 20, lost: 0 };
    const { told } = play(1, () => silent, 600_000);
    expect(told.size).toBeLessThanOrEqual(WINDOW + 600_000 / 20_000);
  });

  test("nor enquire_link costs a submit for each new link", () => {
    const mute: Mood = { submitMs: null, enquiryMs: null, lost: 0 };
    const { told } = play(1, () => mute, 600_000);
    expect(told.size).toBeGreaterThan(WINDOW + 5);
    expect(told.size).toBeLessThanOrEqual(WINDOW + 600_000 / 25_000);
  });
});

test("answers that are only slow, from an operator that ignores enquire_link, all come in", () => {
  const slow: Mood = { submitMs: 27_000, enquiryMs: null, lost: 0 };
  const { told } = play(1, () => slow, 600_000);
  const settled = [...told.values()].slice(0, -2 * WINDOW);
  expect(settled.length).toBeGreaterThan(50);
  for (const words of settled) expect(words).toEqual(["unanswered", "late"]);
});
