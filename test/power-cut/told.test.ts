import { describe, expect, test } from "vitest";
import { deliverSm, deliverSmResp, pduOf, submitSm } from "../sim/auditor/pdu-kit.ts";
import { type Mark, toldBy } from "./told.ts";
import type { Entry } from "./write-log.ts";

const mark = (what: Mark): Entry => ({ kind: "mark", text: JSON.stringify(what) });
const sent = (octets: Uint8Array | string, isLocal = false): Entry => ({
  kind: "sent",
  socket: "1/9",
  isLocal,
  octets: Buffer.from(octets),
});
const received = (octets: Uint8Array): Entry => ({ kind: "received", socket: "1/9", isLocal: false, octets });
const SYNC: Entry = { kind: "sync", file: 1, name: "book" };
const answer = { answered: 1, token: "BATCH1", isLocal: false, facts: ["batch BATCH1 of 2"] };

describe("an answer is told", () => {
  test("from the moment its octets were given to the socket, not when the client had read them", () => {
    const told = toldBy([mark({ asking: 1 }), SYNC, sent("HTTP/1.1 202 … BATCH1"), SYNC, mark(answer)]);
    expect(told).toEqual([{ at: 2, promise: "batch BATCH1 of 2" }]);
  });

  test("from its mark where no octets are found that tell it", () => {
    const elsewhere = [sent("BATCH1"), mark({ asking: 1 }), sent("BATCH1", true), mark(answer)];
    expect(toldBy(elsewhere)).toEqual([{ at: 3, promise: "batch BATCH1 of 2" }]);
  });

  test("when it is seen outside", () => {
    expect(toldBy([SYNC, mark({ seen: ["a", "b"] })])).toEqual([
      { at: 1, promise: "a" },
      { at: 1, promise: "b" },
    ]);
  });
});

describe("on a link to an operator", () => {
  test("a submit_sm tells that its message was claimed, in however many pieces it was written", () => {
    const pdu = submitSm({ destination: "22605000001" });
    const pieces = [sent(pdu.subarray(0, 20)), SYNC, sent(Buffer.concat([pdu.subarray(20), pdu]))];
    expect(toldBy(pieces)).toEqual([
      { at: 2, promise: "claimed +22605000001" },
      { at: 2, promise: "claimed +22605000001" },
    ]);
  });

  test("a deliver_sm_resp tells that the receipt is kept, and one that refuses it tells nothing", () => {
    const octets = Buffer.from(
      "id:77 sub:001 dlvrd:001 submit date:2 done date:2 stat:DELIVRD err:000 text:",
    );
    const receipt = (sequence: number) => received(deliverSm({ sequence, esmClass: 4, octets }));
    const answers = [sent(deliverSmResp(5, 0)), sent(deliverSmResp(6, 8))];
    expect(toldBy([receipt(5), receipt(6), ...answers])).toEqual([{ at: 2, promise: "receipt 77" }]);
  });

  test("the answer to a text that a subscriber wrote tells that it is kept", () => {
    const text = received(deliverSm({ sequence: 5, source: "22671000001", octets: Buffer.from("Bonjour") }));
    expect(toldBy([text, sent(deliverSmResp(5, 0))])).toEqual([{ at: 1, promise: "inbound 22671000001" }]);
  });

  test("what carries no PDUs tells nothing", () => {
    expect(toldBy([sent("GET / HTTP/1.1\r\n\r\n"), sent(pduOf(0x15, 0, 1, []))])).toEqual([]);
  });
});
