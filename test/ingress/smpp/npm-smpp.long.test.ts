/** A client that is not ours: npm's `smpp`, as it comes. */
import { createRequire } from "node:module";
import { afterEach, expect, test } from "vitest";
import { PASSWORD, type SmppRig, SYSTEM_ID, smppRig } from "./rig.ts";

type NpmPdu = Readonly<Record<string, unknown>> & { readonly response: () => object };
type NpmSession = {
  readonly send: (pdu: object, answered?: (pdu: NpmPdu) => void) => void;
  readonly on: (event: string, heard: (pdu: NpmPdu) => void) => void;
  readonly close: () => void;
};
type NpmSmpp = {
  readonly connect: (options: object, connected: () => void) => NpmSession;
  readonly PDU: new (command: string, options?: object) => object;
};

const smpp = createRequire(import.meta.url)("smpp") as NpmSmpp;

let rig: SmppRig;
afterEach(() => rig.close());

test("npm's smpp binds, submits a text with an accent under its data_coding 1, and gets its receipt", async () => {
  rig = await smppRig();
  const probe = await rig.connect();
  const heard: NpmPdu[] = [];
  const session = smpp.connect({ url: `smpp://127.0.0.1:${rig.port()}` }, () => {});
  session.on("error", () => {});
  session.on("deliver_sm", (pdu) => {
    heard.push(pdu);
    session.send(pdu.response());
  });
  const ask = async (command: string, fields: object): Promise<NpmPdu> => {
    let answer: NpmPdu | null = null;
    session.send(new smpp.PDU(command, fields), (pdu) => {
      answer = pdu;
    });
    await probe.until(() => answer !== null);
    if (answer === null) throw new Error("there is no answer");
    return answer;
  };
  const bound = await ask("bind_transceiver", { system_id: SYSTEM_ID, password: PASSWORD });
  expect(bound).toMatchObject({ command: "bind_transceiver_resp", command_status: 0 });
  const submitted = await ask("submit_sm", {
    source_addr: "ACME",
    dest_addr_ton: 1,
    destination_addr: "22670123456",
    registered_delivery: 1,
    data_coding: 1,
    short_message: "Voilà à 10h",
  });
  expect(submitted).toMatchObject({ command: "submit_sm_resp", command_status: 0 });
  await probe.until(() => heard.length === 1, 100);
  expect(heard[0]).toMatchObject({ esm_class: 4, receipted_message_id: submitted.message_id });
  expect(rig.stage.smsc.texts.map(({ text }) => text)).toEqual(["Voilà à 10h"]);
  session.close();
});
