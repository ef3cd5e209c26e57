import { afterEach, describe, expect, test, vi } from "vitest";
import { phrase } from "../../src/i18n/phrase.ts";
import {
  type Answer,
  type Connection,
  openConnection,
  type SubmitResponse,
} from "../../src/smpp/connection.ts";
import { type ConnectionProfile, systemDial } from "../../src/smpp/dial.ts";
import { encodePdu, type Pdu } from "../../src/smpp/pdu.ts";
import { type ShortMessage, shortMessage } from "../../src/smpp/short-message.ts";
import { MAX_UNDECIDED } from "../../src/smpp/socket-reader.ts";
import { seededChance } from "../kit/test-chance.ts";
import { type TestClock, testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";
import { obliging, type Peer, type Script, type ScriptedSmsc, scriptedSmsc } from "./scripted-smsc.ts";
import { SERVER_CERTIFICATE, SERVER_KEY } from "./server-certificate.ts";

const text = new Uint8Array(Buffer.from("Bonjour"));
const message = shortMessage({ destinationAddr: "22670123456", shortMessage: text });

type Rig = {
  readonly clock: TestClock;
  readonly connection: Connection;
  readonly smsc: ScriptedSmsc;
  /** Everything the owner was told, in words and in order. */
  readonly told: string[];
  readonly responses: SubmitResponse[];
  readonly delivered: { readonly message: ShortMessage; readonly answer: Answer }[];
  readonly log: ReturnType<typeof testLog>;
  /** What the owner does at once when it is told this. */
  readonly whenTold: (what: string, act: () => void) => void;
  /** Resolves once the condition holds; looked at after each thing told and each PDU received. */
  readonly until: (holds: () => boolean) => Promise<void>;
};

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function rig(
  script: Script,
  changes: Partial<ConnectionProfile> = {},
  tls: Bun.TLSOptions | null = null,
): Rig {
  const watchers = new Set<() => void>();
  const look = () => {
    for (const watcher of watchers) watcher();
  };
  const told: string[] = [];
  const acts = new Map<string, () => void>();
  const tell = (what: string) => {
    told.push(what);
    acts.get(what)?.();
    queueMicrotask(look);
  };
  const responses: SubmitResponse[] = [];
  const delivered: Rig["delivered"] = [];
  const smsc = scriptedSmsc(script, look, tls);
  const clock = testClock();
  const log = testLog();
  const connection = openConnection({
    dial: systemDial,
    profile: {
      host: "127.0.0.1",
      port: smsc.port,
      tls: null,
      bind: "transceiver",
      systemId: "bendre",
      password: "secret-password",
      systemType: "",
      interfaceVersion: 0x34,
      addrTon: 0,
      addrNpi: 0,
      addressRange: "",
      window: 3,
      responseTimeoutMs: 20_000,
      reconnectMs: 5_000,
      enquireLinkMs: 30_000,
      ...changes,
    },
    clock,
    chance: seededChance(1),
    log,
    on: {
      bound: () => tell("bound"),
      resumed: () => tell("resumed"),
      unbound: (reason) => tell(`unbound: ${reason.code}`),
      response: (response) => {
        responses.push(response);
        tell(`response ${response.ref} ${response.status}`);
      },
      lateResponse: ({ ref }) => tell(`late ${ref}`),
      unanswered: (refs) => tell(`unanswered ${refs.join(",")}`),
      unsent: (refs) => tell(`unsent ${refs.join(",")}`),
      deliver: (message, answer) => {
        delivered.push({ message, answer });
        tell("deliver");
      },
    },
  });
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const watcher = () => {
        if (!holds()) return;
        watchers.delete(watcher);
        resolve();
      };
      watchers.add(watcher);
      watcher();
    });
  cleanUps.push(async () => {
    smsc.stop();
    await connection.stop(0);
  });
  const whenTold: Rig["whenTold"] = (what, act) => acts.set(what, act);
  return { clock, connection, smsc, told, responses, delivered, log, whenTold, until };
}

const bound = async (script: Script, changes: Partial<ConnectionProfile> = {}): Promise<Rig> => {
  const made = rig(script, changes);
  await made.until(() => made.told.includes("bound"));
  return made;
};

/** What came after the bind and the enquire_link that follows it. */
const afterBind = ({ smsc }: Rig) =>
  smsc.received.filter((pdu) => !(pdu.command === "enquire_link" && pdu.sequence === 2)).slice(1);
const commands = ({ smsc }: Rig) => smsc.received.map(({ command }) => command);
const count = (made: Rig, command: Pdu["command"]) =>
  commands(made).filter((each) => each === command).length;

describe("a connection", () => {
  test("binds with its profile and submits; an answered submit keeps its place until it is released", async () => {
    const made = await bound(obliging, {
      bind: "transmitter",
      systemType: "BULK",
      interfaceVersion: 0x33,
      addrTon: 1,
      addrNpi: 9,
      addressRange: "^226",
    });
    const { connection, until, responses } = made;
    expect(made.smsc.received[0]).toMatchObject({
      command: "bind_transmitter",
      bind: {
        systemId: "bendre",
        password: "secret-password",
        systemType: "BULK",
        interfaceVersion: 0x33,
        addrTon: 1,
        addrNpi: 9,
        addressRange: "^226",
      },
    });
    expect(connection.freeSlots()).toBe(3);
    for (const ref of [1, 2, 3]) expect(connection.submit(ref, message)).toBeGreaterThan(0);
    expect(connection.freeSlots()).toBe(0);
    expect(connection.submit(4, message)).toBe(null);
    await until(() => responses.length === 3);
    expect(responses[0]).toEqual({ ref: 1, status: 0, messageId: "id-3" });
    expect(connection.freeSlots()).toBe(0);
    connection.release(2);
    expect(connection.freeSlots()).toBe(1);
    expect(connection.status()).toMatchObject({ state: "BOUND", inFlight: 2, window: 3, lastError: null });
  });

  test("tells refusals and throttling with their status", async () => {
    const made = await bound((pdu, peer) => {
      if (pdu.command !== "submit_sm") return obliging(pdu, peer);
      const status = pdu.message.destinationAddr === "1" ? 0x58 : 0x0b;
      peer.send({ command: "submit_sm_resp", sequence: pdu.sequence, status, messageId: null });
    });
    made.connection.submit(1, { ...message, destinationAddr: "1" });
    made.connection.submit(2, { ...message, destinationAddr: "2" });
    await made.until(() => made.responses.length === 2);
    expect(made.told).toEqual(["bound", "response 1 88", "response 2 11"]);
  });

  test("reads an operator that dribbles octet by octet", async () => {
    const made = await bound((pdu, peer) => {
      const dribble = (...pdus: Pdu[]) => {
        for (const octet of pdus.flatMap((one) => [...encodePdu(one)])) peer.sendOctets(Uint8Array.of(octet));
      };
      obliging(pdu, { ...peer, send: dribble });
    });
    made.connection.submit(1, message);
    await made.until(() => made.responses.length === 1);
    expect(made.responses[0]?.messageId).toBe("id-3");
  });

  test("hands a receipt over and answers it when told to, once", async () => {
    const receipt: Pdu = { command: "deliver_sm", sequence: 900, status: 0, message };
    const dataSm: Pdu = { ...receipt, command: "data_sm", sequence: 901, message: shortMessage({}) };
    const made = await bound((pdu, peer) => {
      obliging(pdu, peer);
      if (pdu.command === "bind_transceiver") peer.send(receipt, dataSm);
    });
    await made.until(() => made.delivered.length === 2);
    expect(made.delivered[0]?.message).toEqual(message);
    expect(count(made, "deliver_sm_resp")).toBe(0);
    made.delivered[1]?.answer(0x64);
    made.delivered[0]?.answer();
    made.delivered[0]?.answer(0x08);
    await made.until(() => count(made, "deliver_sm_resp") === 1);
    expect(afterBind(made)).toEqual([
      { command: "data_sm_resp", sequence: 901, status: 0x64, messageId: null },
      { command: "deliver_sm_resp", sequence: 900, status: 0, messageId: "" },
    ]);
  });

  test("takes a response that comes late", async () => {
    let peerOf: Peer | null = null;
    const made = await bound((pdu, peer) => {
      peerOf = peer;
      if (pdu.command !== "submit_sm") obliging(pdu, peer);
    });
    made.connection.submit(1, message);
    await made.until(() => count(made, "submit_sm") === 1);
    await made.clock.advance(20_000);
    expect(made.told).toEqual(["bound", "unanswered 1"]);
    expect(made.connection.freeSlots()).toBe(2);
    made.connection.release(1);
    // To the operator it is still unanswered.
    expect(made.connection.freeSlots()).toBe(2);
    (peerOf as Peer | null)?.send({ command: "submit_sm_resp", sequence: 3, status: 0, messageId: "x" });
    await made.until(() => made.told.includes("late 1"));
    expect(made.connection.freeSlots()).toBe(3);
    expect(made.connection.status()).toMatchObject({
      state: "BOUND",
      lastError: phrase("link.late_answers"),
    });
  });

  test("gives up a link that answers no enquire_link, and comes back", async () => {
    const made = await bound((pdu, peer) => {
      if (pdu.command !== "enquire_link") obliging(pdu, peer);
    });
    await made.until(() => count(made, "enquire_link") === 1);
    await made.clock.advance(49_999);
    expect(made.told).toEqual(["bound"]);
    await made.clock.advance(1);
    expect(made.told).toEqual(["bound", "unbound: link.no_enquiry_answer"]);
    expect(made.connection.status()).toMatchObject({ state: "WAITING", boundAtMs: null, wasBound: true });
    await made.clock.advance(6_000);
    await made.until(() => made.told.filter((what) => what === "bound").length === 2);
    // What went wrong last stays on view.
    expect(made.connection.status()).toMatchObject({
      state: "BOUND",
      lastError: phrase("link.no_enquiry_answer"),
      lastErrorAtMs: made.clock.nowMs() - 6_000,
      downSinceMs: null,
      nextAttemptAtMs: null,
    });
  });

  test("answers the operator's enquire_link and unbind", async () => {
    const made = await bound((pdu, peer) => {
      obliging(pdu, peer);
      if (pdu.command !== "bind_transceiver") return;
      peer.send(
        { command: "enquire_link", sequence: 50, status: 0 },
        { command: "unbind", sequence: 51, status: 0 },
      );
    });
    await made.until(() => count(made, "unbind_resp") === 1);
    expect(afterBind(made)).toEqual([
      { command: "enquire_link_resp", sequence: 50, status: 0 },
      { command: "unbind_resp", sequence: 51, status: 0 },
    ]);
    expect(made.told).toEqual(["bound", "unbound: link.unbound_by_operator"]);
  });

  test("survives garbage inside a frame, and drops a stream whose frames are lost", async () => {
    const brokenDeliver = Uint8Array.of(0, 0, 0, 18, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 70, 1, 2);
    const unknown = Uint8Array.of(0, 0, 0, 16, 0, 0, 9, 9, 0, 0, 0, 0, 0, 0, 0, 71);
    let peerOf: Peer | null = null;
    const made = await bound((pdu, peer) => {
      peerOf = peer;
      obliging(pdu, peer);
      if (pdu.command !== "bind_transceiver") return;
      peer.sendOctets(brokenDeliver);
      peer.sendOctets(unknown);
    });
    await made.until(() => count(made, "generic_nack") === 1);
    expect(afterBind(made)).toEqual([
      { command: "deliver_sm_resp", sequence: 70, status: 0x02, messageId: null },
      { command: "generic_nack", sequence: 71, status: 0x03 },
    ]);
    expect(made.connection.status().state).toBe("BOUND");
    (peerOf as Peer | null)?.sendOctets(new Uint8Array(16));
    await made.until(() => made.told.length === 2);
    expect(made.told[1]).toBe("unbound: link.unreadable");
    expect(made.connection.status().lastError).toMatchObject({
      params: { fault: expect.stringContaining("command_length 0") },
    });
  });
});

describe("an operator that writes receipts without waiting for their answers", () => {
  const receipt = (sequence: number): Pdu => ({ command: "deliver_sm", sequence, status: 0, message });
  const receipts = (count: number) => Array.from({ length: count }, (_, index) => receipt(1_000 + index));
  const delivered = (made: Rig) => made.told.filter((what) => what === "deliver").length;

  /** Writes 5,000 receipts at the first submit, then its response; the owner holds each of them in its hand. */
  const flooded = async (changes: Partial<ConnectionProfile> = {}): Promise<Rig> => {
    const made = await bound((pdu, peer) => {
      if (pdu.command === "submit_sm") peer.send(...receipts(5_000));
      obliging(pdu, peer);
    }, changes);
    made.connection.submit(1, message);
    await made.until(() => delivered(made) >= MAX_UNDECIDED);
    return made;
  };

  test("is read no further while four hundred of them are undecided, and again when they are", async () => {
    const made = await flooded();
    await made.clock.advance(1_000);
    expect(delivered(made)).toBe(MAX_UNDECIDED);
    expect(made.responses).toEqual([]);
    for (let answered = 0; answered < 5_000; answered++) {
      await made.until(() => made.delivered.length > answered);
      made.delivered[answered]?.answer();
      expect(made.delivered.length - answered).toBeLessThanOrEqual(MAX_UNDECIDED);
    }
    await made.until(() => made.responses.length === 1 && count(made, "deliver_sm_resp") === 5_000);
    expect(made.told.filter((what) => what !== "deliver")).toEqual(["bound", "response 1 0"]);
  });

  test("is not taken for silent meanwhile, nor is a submit whose response stands behind them told as unanswered", async () => {
    const made = await flooded({ responseTimeoutMs: 20_000, enquireLinkMs: 30_000 });
    await made.clock.advance(150_000);
    expect(made.told.filter((what) => what !== "deliver")).toEqual(["bound"]);
    expect(made.connection.status().state).toBe("BOUND");
    for (let answered = 0; answered < 5_000; answered++) {
      await made.until(() => made.delivered.length > answered);
      made.delivered[answered]?.answer();
    }
    await made.until(() => made.responses.length === 1);
    await made.clock.advance(30_000);
    expect(made.told.filter((what) => what !== "deliver")).toEqual(["bound", "response 1 0"]);
  });

  test("does not keep a submit waiting for ever: a tenth of the time counts", async () => {
    const made = await flooded({ responseTimeoutMs: 20_000 });
    await made.clock.advance(250_000);
    expect(made.told).toContain("unanswered 1");
  });

  test("does not draw out a stop", async () => {
    const made = await flooded();
    let stopped = false;
    const stopping = made.connection.stop(2_000).then(() => {
      stopped = true;
    });
    await made.clock.advance(8_000);
    expect(stopped).toBe(true);
    await stopping;
    expect(made.told.filter((what) => what !== "deliver")).toEqual([
      "bound",
      "unanswered 1",
      "unbound: link.unanswered_unbind",
    ]);
  });

  test("and hangs up has all read that it wrote: a response at the end leaves nobody in doubt", async () => {
    const made = await bound((pdu, peer) => {
      if (pdu.command !== "submit_sm") return obliging(pdu, peer);
      peer.send(...receipts(2_500));
      obliging(pdu, peer);
      peer.end();
    });
    made.connection.submit(1, message);
    await made.until(() => made.delivered.length >= MAX_UNDECIDED);
    for (let answered = 0; answered < 2_300; answered++) {
      await made.until(() => made.delivered.length > answered);
      made.delivered[answered]?.answer();
    }
    await made.until(() => made.told.some((what) => what.startsWith("unbound")));
    expect(delivered(made)).toBe(2_500);
    expect(made.told.filter((what) => what !== "deliver")).toEqual([
      "bound",
      "response 1 0",
      "unbound: link.closed_by_operator",
    ]);
  });
});

describe("an operator that sends what is out of place", () => {
  test("costs a line for each kind at once and one a minute, however much of it there is and however it varies", async () => {
    const frames = Array.from({ length: 5_000 }, (_, index) => {
      const frame = Buffer.alloc(16);
      frame.writeUInt32BE(16, 0);
      frame.writeUInt32BE(index % 2 === 0 ? 0x0000_0900 + index : 0x8000_0004, 4);
      frame.writeUInt32BE(1_000 + index, 12);
      return frame;
    });
    const made = await bound((pdu, peer) => {
      obliging(pdu, peer);
      if (pdu.command === "bind_transceiver") peer.sendOctets(new Uint8Array(Buffer.concat(frames)));
    });
    await made.until(() => count(made, "generic_nack") === 2_500);
    const junk = () => made.log.lines.filter(({ message: said }) => said === "unexpected from the operator");
    expect(junk().map(({ what, times }) => [what, times])).toEqual([
      ["a command that is not for us", 1],
      ["an answer to no submit of ours", 1],
    ]);
    await made.clock.advance(60_000);
    expect(
      junk()
        .slice(2)
        .map(({ what, times, seconds }) => [what, times, seconds]),
    ).toEqual([
      ["a command that is not for us", 2_499, 60],
      ["an answer to no submit of ours", 2_499, 60],
    ]);
  });

  test("has what was counted told when the connection stops", async () => {
    const nobodys: Pdu = { command: "submit_sm_resp", sequence: 700, status: 0, messageId: "x" };
    const made = await bound((pdu, peer) => {
      obliging(pdu, peer);
      if (pdu.command === "bind_transceiver") {
        peer.send(nobodys, nobodys, nobodys, { command: "enquire_link", sequence: 70, status: 0 });
      }
    });
    await made.until(() => count(made, "enquire_link_resp") === 1);
    await made.connection.stop(1_000);
    const times = made.log.lines.filter(({ what }) => what !== undefined).map((line) => line.times);
    expect(times).toEqual([1, 2]);
  });
});

describe("a lost link", () => {
  test("tells what was written as unanswered, and keeps its places over the reconnection", async () => {
    let first = true;
    const made = await bound((pdu, peer) => {
      if (pdu.command !== "submit_sm" || !first) return obliging(pdu, peer);
      if (pdu.sequence === 3) {
        first = false;
        peer.hangUp();
      }
    });
    made.connection.submit(1, message);
    made.connection.submit(2, message);
    await made.until(() => made.told.length === 3);
    expect(made.told[1]).toBe("unanswered 1,2");
    expect(made.told[2]).toMatch(/^unbound: /);
    expect(made.connection.submit(9, message)).toBe(null);
    await made.clock.advance(6_000);
    await made.until(() => made.told.length === 4);
    expect(made.connection.freeSlots()).toBe(1);
    made.connection.release(1);
    made.connection.release(2);
    expect(made.connection.freeSlots()).toBe(3);
  });

  test("that falls silent is cut only when nothing waits any more, and takes nothing new from an owner being told", async () => {
    const made = await bound((pdu, peer) => {
      if (pdu.command.startsWith("bind")) obliging(pdu, peer);
    });
    for (const ref of [1, 2, 3]) made.connection.submit(ref, message);
    await made.until(() => count(made, "submit_sm") === 3);
    made.whenTold("unanswered 1,2,3", () => {
      for (const ref of [1, 2, 3]) made.connection.release(ref);
      expect(made.connection.freeSlots()).toBe(0);
      expect(made.connection.submit(4, message)).toBe(null);
    });
    await made.clock.advance(20_000);
    // It has never answered an enquire_link, so it is given a whole interval of silence and a response time.
    await made.clock.advance(29_999);
    expect(made.told).toEqual(["bound", "unanswered 1,2,3", "resumed"]);
    expect(made.connection.freeSlots()).toBe(0);
    await made.clock.advance(1);
    expect(made.told[3]).toBe("unbound: link.no_enquiry_answer");
  });

  test("that answers no submit is told of in words, and gets one submit on trial over the next link", async () => {
    const made = await bound((pdu, peer) => {
      if (pdu.command !== "submit_sm") obliging(pdu, peer);
    });
    for (const ref of [1, 2, 3]) made.connection.submit(ref, message);
    await made.until(() => count(made, "submit_sm") === 3);
    await made.clock.advance(20_000);
    for (const ref of [1, 2, 3]) made.connection.release(ref);
    expect(made.connection.freeSlots()).toBe(0);
    await made.clock.advance(20_000);
    expect(made.told.at(-1)).toBe("resumed");
    expect(made.connection.status().lastError).toEqual(phrase("link.no_answers"));
    expect(made.connection.submit(4, message)).toBeGreaterThan(0);
    expect(made.connection.freeSlots()).toBe(0);
    await made.clock.advance(20_000);
    await made.until(() => made.told.some((what) => what.startsWith("unbound")));
    expect(made.told.at(-1)).toBe("unbound: link.answers_no_submit");
    made.connection.release(4);
    await made.clock.advance(6_000);
    await made.until(() => made.told.filter((what) => what === "bound").length === 2);
    expect(made.connection.freeSlots()).toBe(1);
  });

  test("hands a submit of the same moment back as unsent", async () => {
    let peerOf: Peer | null = null;
    const made = await bound((pdu, peer) => {
      peerOf = peer;
      obliging(pdu, peer);
    });
    made.whenTold("deliver", () => {
      made.connection.submit(1, message);
    });
    (peerOf as Peer | null)?.send(
      { command: "deliver_sm", sequence: 9, status: 0, message },
      { command: "unbind", sequence: 10, status: 0 },
    );
    await made.until(() => count(made, "unbind_resp") === 1);
    expect(made.told).toEqual(["bound", "deliver", "unsent 1", "unbound: link.unbound_by_operator"]);
    expect(count(made, "submit_sm")).toBe(0);
  });

  test("by an orderly unbind leaves nobody in doubt: the responses behind it are taken", async () => {
    const sequences: number[] = [];
    const made = await bound((pdu, peer) => {
      if (pdu.command !== "submit_sm") return obliging(pdu, peer);
      sequences.push(pdu.sequence);
      if (sequences.length < 3) return;
      const answers = sequences.map(
        (sequence): Pdu => ({ command: "submit_sm_resp", sequence, status: 0, messageId: `id-${sequence}` }),
      );
      peer.send({ command: "unbind", sequence: 10, status: 0 }, ...answers);
    });
    for (const ref of [1, 2, 3]) made.connection.submit(ref, message);
    await made.until(() => count(made, "unbind_resp") === 1);
    expect(made.told).toEqual([
      "bound",
      "response 1 0",
      "response 2 0",
      "response 3 0",
      "unbound: link.unbound_by_operator",
    ]);
  });

  test("tells what never left as unsent", async () => {
    const made = await bound(
      (pdu, peer) => {
        obliging(pdu, peer);
        if (pdu.command === "bind_transceiver") peer.pause();
      },
      { window: 4_000 },
    );
    const long = shortMessage({ tlvs: { messagePayload: new Uint8Array(60_000) } });
    for (let ref = 1; ref <= 400; ref++) made.connection.submit(ref, long);
    await made.clock.advance(20_000);
    await made.until(() => made.told.some((what) => what.startsWith("unbound")));
    const [, unanswered = "", unsent = "", gone] = made.told;
    const refs = (what: string) => what.split(" ")[1]?.split(",").map(Number) ?? [];
    expect(unanswered).toMatch(/^unanswered 1,/);
    expect(unsent).toMatch(/^unsent .*,400$/);
    expect([...refs(unanswered), ...refs(unsent)]).toEqual(
      Array.from({ length: 400 }, (_, index) => index + 1),
    );
    expect(gone).toContain("unbound: ");
  });

  test("that nobody answers is tried again, ever more slowly, up to a minute", async () => {
    const made = rig(() => {});
    made.smsc.stop();
    const delays: number[] = [];
    let attemptAtMs: number | null = null;
    for (let attempt = 0; attempt < 6; attempt++) {
      while (
        made.connection.status().nextAttemptAtMs === attemptAtMs ||
        made.connection.status().state !== "WAITING"
      ) {
        await new Promise((resolve) => setImmediate(resolve));
        if (made.connection.status().state === "BINDING") await made.clock.advance(20_000);
      }
      attemptAtMs = made.connection.status().nextAttemptAtMs;
      delays.push((attemptAtMs ?? 0) - made.clock.nowMs());
      await made.clock.advance(delays.at(-1) ?? 0);
    }
    delays.forEach((delayMs, index) => {
      const plainMs = Math.min(60_000, 5_000 * 2 ** index);
      expect(delayMs).toBeGreaterThanOrEqual(plainMs * 0.8);
      expect(delayMs).toBeLessThanOrEqual(Math.min(60_000, plainMs * 1.2));
    });
    expect(made.connection.status().lastError?.code).toBe("link.nobody_listens");
    expect(made.told).toEqual([]);
  });
});

describe("TLS", () => {
  const tls = { key: SERVER_KEY, cert: SERVER_CERTIFICATE };

  const trusted = { ca: SERVER_CERTIFICATE, serverName: "smsc.example.test", client: null };

  test("is read no further than plain TCP while four hundred receipts are undecided", async () => {
    const receipts = Array.from(
      { length: 3_000 },
      (_, index): Pdu => ({ command: "deliver_sm", sequence: 1_000 + index, status: 0, message }),
    );
    const flooding: Script = (pdu, peer) => {
      if (pdu.command === "submit_sm") peer.send(...receipts);
      obliging(pdu, peer);
    };
    const made = rig(flooding, { tls: trusted }, tls);
    await made.until(() => made.told.includes("bound"));
    made.connection.submit(1, message);
    for (let answered = 0; answered < 3_000; answered++) {
      await made.until(() => made.delivered.length > answered);
      made.delivered[answered]?.answer();
      expect(made.delivered.length - answered).toBeLessThanOrEqual(MAX_UNDECIDED);
    }
    await made.until(() => made.responses.length === 1);
  });

  test("binds when the certificate is the authority's and carries the name", async () => {
    const made = rig(obliging, { tls: trusted }, tls);
    await made.until(() => made.told.includes("bound"));
    made.connection.submit(1, message);
    await made.until(() => made.responses.length === 1);
    await made.connection.stop(5_000);
    expect(made.told.at(-1)).toBe("unbound: link.unbound");
  });

  for (const [why, profile, code] of [
    ["another name", { ...trusted, serverName: "other.example.test" }, "link.certificate.name"],
    ["an unknown authority", { ...trusted, ca: null }, "link.certificate.authority"],
  ] as const) {
    test(`never sends the password to ${why}, and says so`, async () => {
      const made = rig(obliging, { tls: profile }, tls);
      while (made.connection.status().state !== "WAITING")
        await new Promise((resolve) => setImmediate(resolve));
      expect(made.connection.status().lastError?.code).toBe(code);
      expect(made.smsc.received).toEqual([]);
    });
  }

  test("shows its own certificate to an operator that asks for one", async () => {
    const asking = { ...tls, ca: SERVER_CERTIFICATE, requestCert: true, rejectUnauthorized: true };
    const client = { certificate: SERVER_CERTIFICATE, key: SERVER_KEY };
    const made = rig(obliging, { tls: { ...trusted, client } }, asking);
    await made.until(() => made.told.includes("bound"));
    const stranger = rig(obliging, { tls: trusted }, asking);
    while (stranger.connection.status().state !== "WAITING")
      await new Promise((resolve) => setImmediate(resolve));
    expect(stranger.smsc.received).toEqual([]);
  });
});

describe("a refused bind", () => {
  const refuse =
    (status: number): Script =>
    (pdu, peer) => {
      if (pdu.command !== "bind_transceiver") return;
      const { sequence } = pdu;
      peer.send({
        command: "bind_transceiver_resp",
        sequence,
        status,
        systemId: null,
        scInterfaceVersion: null,
      });
    };
  const waiting = (made: Rig) => () => made.connection.status().state === "WAITING";

  test("for its credentials waits a minute and says so, without the password", async () => {
    const made = rig(refuse(0x0e));
    while (!waiting(made)()) await new Promise((resolve) => setImmediate(resolve));
    const status = made.connection.status();
    expect(status.lastError).toEqual(phrase("link.bind_refused.password", { status: "0x0E RINVPASWD" }));
    expect((status.nextAttemptAtMs ?? 0) - made.clock.nowMs()).toBe(60_000);
    expect(JSON.stringify(made.log.lines)).not.toContain("secret-password");
    expect(made.told).toEqual([]);
  });

  for (const [why, status, code] of [
    ["because we are bound already", 0x05, "link.bind_refused.bound_already"],
    ["without a reason", 0x0d, "link.bind_refused.unexplained"],
    ["for a centre that is unwell", 0x08, "link.bind_refused.not_now"],
    ["as a kind of bind", 0x03, "link.bind_refused.kind"],
  ] as const) {
    test(`${why} is tried again soon`, async () => {
      const made = rig(refuse(status));
      while (!waiting(made)()) await new Promise((resolve) => setImmediate(resolve));
      const { lastError, nextAttemptAtMs } = made.connection.status();
      expect(lastError?.code).toBe(code);
      expect((nextAttemptAtMs ?? 0) - made.clock.nowMs()).toBeLessThanOrEqual(6_000);
    });
  }
});

describe("stopping", () => {
  test("waits for the responses that are due, unbinds, and does not come back", async () => {
    let peerOf: Peer | null = null;
    const made = await bound((pdu, peer) => {
      peerOf = peer;
      if (pdu.command !== "submit_sm") obliging(pdu, peer);
    });
    made.connection.submit(1, message);
    await made.until(() => count(made, "submit_sm") === 1);
    const stopped = made.connection.stop(5_000);
    expect(made.connection.freeSlots()).toBe(0);
    expect(count(made, "unbind")).toBe(0);
    (peerOf as Peer | null)?.send({ command: "submit_sm_resp", sequence: 3, status: 0, messageId: "x" });
    await stopped;
    expect(made.told).toEqual(["bound", "response 1 0", "unbound: link.unbound"]);
    expect(commands(made).at(-1)).toBe("unbind");
    await made.clock.advance(120_000);
    expect(count(made, "bind_transceiver")).toBe(1);
    expect(made.connection.status()).toMatchObject({ state: "STOPPED", nextAttemptAtMs: null });
  });

  test("tells what is still unanswered after the grace", async () => {
    const made = await bound((pdu, peer) => {
      if (pdu.command !== "submit_sm") obliging(pdu, peer);
    });
    made.connection.submit(1, message);
    await made.until(() => count(made, "submit_sm") === 1);
    const stopped = made.connection.stop(5_000);
    await made.clock.advance(5_000);
    await stopped;
    expect(made.told).toEqual(["bound", "unanswered 1", "unbound: link.unbound"]);
  });

  test("while waiting for the next attempt is at once", async () => {
    const made = rig(() => {});
    made.smsc.stop();
    await made.connection.stop(5_000);
    expect(made.connection.status().state).toBe("STOPPED");
  });
});

describe("an error of our own in a submit", () => {
  test("takes nothing when the message cannot be encoded, and the link goes on", async () => {
    const { connection, told, until } = rig(obliging);
    await until(() => told.includes("bound"));
    const odd = shortMessage({ ...message, serviceType: "CM\u00e9" });
    expect(() => connection.submit(1, odd)).toThrow("service_type must be ASCII");
    expect(connection.freeSlots()).toBe(3);
    expect(connection.status()).toMatchObject({ state: "BOUND", inFlight: 0 });
    expect(connection.submit(1, message)).not.toBeNull();
    await until(() => told.includes("response 1 0"));
  });

  test("ends the link when it may leave already, which tells what became of it", async () => {
    const { connection, told, until, log } = rig(obliging);
    await until(() => told.includes("bound"));
    // What comes right after the PDU was put into the queue.
    const failing = vi.spyOn(globalThis, "queueMicrotask").mockImplementationOnce(() => {
      throw new Error("no turn");
    });
    expect(connection.submit(1, message)).not.toBeNull();
    expect(failing).toHaveBeenCalled();
    failing.mockRestore();
    await until(() => told.some((what) => what.startsWith("unbound")));
    expect(told.filter((what) => /^(unsent|unanswered) 1$/.test(what))).toHaveLength(1);
    expect(log.lines.some(({ message: words }) => words === "a connection failed inside")).toBe(true);
  });
});
