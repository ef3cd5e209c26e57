import { describe, expect, test } from "vitest";
import { pduTrace } from "../../../src/channels/sms/pdu-trace.ts";
import { createTraceLog } from "../../../src/core/log.ts";
import { encodePdu, type Pdu } from "../../../src/smpp/pdu.ts";
import { shortMessage } from "../../../src/smpp/short-message.ts";
import { testLog } from "../../kit/test-log.ts";

function rig(rooms: readonly "smpp"[] = []) {
  const log = testLog();
  const followed = new Map([[7, { messageId: "SEVEN", msisdn: "+22670000007" }]]);
  const steps = createTraceLog({ log, followLog: log, rooms, followed, idOf: (row) => `ID${row}` });
  const link = pduTrace(steps, () => ({ operator: "orange", connection: 1 }));
  const sent = (pdu: Pdu) => link.seen("sent", encodePdu(pdu));
  const received = (pdu: Pdu) => link.seen("received", encodePdu(pdu));
  const told = () =>
    log.lines.map(({ command, message_id, hex }) => [command, message_id, hex !== undefined]);
  return { link, sent, received, told };
}

const to = (number: string) => shortMessage({ destinationAddr: number, shortMessage: new Uint8Array(3) });
const submit = (sequence: number, number: string): Pdu => ({
  command: "submit_sm",
  sequence,
  status: 0,
  message: to(number),
});
const submitResponse = (sequence: number): Pdu => ({
  command: "submit_sm_resp",
  sequence,
  status: 0,
  messageId: "a1",
});
const deliver = (sequence: number, from: string): Pdu => ({
  command: "deliver_sm",
  sequence,
  status: 0,
  message: shortMessage({ sourceAddr: from, destinationAddr: "ACME" }),
});
const deliverResponse = (sequence: number): Pdu => ({
  command: "deliver_sm_resp",
  sequence,
  status: 0,
  messageId: "",
});

describe("the PDUs of a connection", () => {
  test("are told with their message: a submit, and the response of the same number", () => {
    const { link, sent, received, told } = rig(["smpp"]);
    link.leaving(3);
    sent(submit(1, "22670000003"));
    link.leaving(4);
    sent(submit(2, "22670000004"));
    received(submitResponse(2));
    received(submitResponse(1));
    sent({ command: "enquire_link", sequence: 3, status: 0 });
    expect(told()).toEqual([
      ["submit_sm", "ID3", false],
      ["submit_sm", "ID4", false],
      ["submit_sm_resp", "ID4", false],
      ["submit_sm_resp", "ID3", false],
      ["enquire_link", undefined, false],
    ]);
  });

  test("are told of a message that is followed alone, in hex too, with what comes from its number in any spelling", () => {
    const { link, sent, received, told } = rig();
    link.leaving(7);
    sent(submit(1, "22670000007"));
    link.leaving(4);
    sent(submit(2, "22670000004"));
    received(submitResponse(2));
    received(submitResponse(1));
    received(deliver(5, "70000007"));
    received(deliver(6, "70000004"));
    sent(deliverResponse(6));
    sent(deliverResponse(5));
    expect(told()).toEqual([
      ["submit_sm", "SEVEN", true],
      ["submit_sm_resp", "SEVEN", true],
      ["deliver_sm", "SEVEN", true],
      ["deliver_sm_resp", "SEVEN", true],
    ]);
  });
});
