import { afterEach, describe, expect, test } from "vitest";
import { runCommand } from "../../../src/admin/commands.ts";
import type { TraceView } from "../../../src/admin/reports/message-trace.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { decodePdu, type Pdu } from "../../../src/smpp/pdu.ts";
import { type Rig, rig, type Submit } from "../../channels/sms/rig.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { granted } from "../operations/fixture.ts";
import { piecesOf } from "./read-pcapng.ts";

let place: Rig;
afterEach(() => place.close());

const TO = "70000001";

/** The default alphabet of the connection, as it is configured. */
let alphabet = "gsm";

async function trace(args: Record<string, string>): Promise<TraceView> {
  const { store, clock, newId } = place;
  const connections = [connection({ default_alphabet: alphabet })];
  const config = configOf(
    document({ operators: { orange: operator({ prefixes: ["22670"], connections }) } }),
  );
  const MESSAGE = store.read.get<{ ulid: string }>("SELECT ulid FROM messages")?.ulid ?? "";
  const context = {
    store,
    config,
    clock,
    chance: seededChance(3),
    newId,
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
  return granted(await runCommand(context, "message trace", { MESSAGE, ...args })) as TraceView;
}

/** The PDUs of a capture, and of the rows in hex. */
const decoded = (octets: Uint8Array): Pdu => {
  const result = decodePdu(octets);
  if (!result.ok) throw new Error(result.reason);
  return result.pdu;
};
const captured = async (args: Record<string, string> = {}) => {
  const { pcap = "" } = await trace({ pcap: "file", ...args });
  return piecesOf(Buffer.from(pcap, "base64")).pieces.map((piece) => ({
    ...piece,
    pdu: decoded(piece.octets),
  }));
};

describe("the PDUs of a message, made again", () => {
  const TEXTS = ["Code 1234", "Œuvre [1] €", "é".repeat(200), "[€]".repeat(90)];
  for (const default_alphabet of ["gsm", "latin1", "ascii"]) {
    for (const long_messages of ["udh", "sar", "payload"]) {
      test(`are those that left but for validity_period: ${default_alphabet}, ${long_messages}`, async () => {
        alphabet = default_alphabet;
        for (const body of TEXTS) {
          const seen: Submit[] = [];
          place = rig({
            connection: { default_alphabet, long_messages },
            onSubmit: (submit) => {
              seen.push(submit);
              submit.accept();
            },
          });
          await place.send(await place.account(), "TRANSACTIONAL", [TO], { body });
          await place.untilAll("SENT", 1);
          const submits = (await captured({ "show-text": "" })).flatMap(({ pdu }) =>
            pdu.command === "submit_sm" ? [pdu.message] : [],
          );
          expect(submits).toEqual(seen.map(({ message }) => ({ ...message, validityPeriod: "" })));
          if (body !== TEXTS.at(-1)) await place.close();
        }
      });
    }
  }

  test("have the answers and receipts that came, with what is known of them", async () => {
    place = rig();
    await place.send(await place.account(), "OTP", [TO], { body: "Code 1234" });
    await place.untilAll("SENT", 1);
    await place.clock.advance(2000);
    await place.receipt("id-1", "DELIVRD");
    const pieces = await captured();
    expect(pieces.map(({ pdu, toServer }) => [pdu.command, toServer])).toEqual([
      ["submit_sm", true],
      ["submit_sm_resp", false],
      ["deliver_sm", false],
      ["deliver_sm_resp", true],
    ]);
    expect(pieces[0]?.pdu.sequence).toBe(pieces[1]?.pdu.sequence);
    expect(pieces[1]?.pdu).toMatchObject({ status: 0, messageId: "id-1" });
    expect(pieces.map(({ comment }) => comment)).toEqual([
      expect.stringContaining("validity_period is not kept"),
      null,
      expect.stringContaining("the rest of the receipt is not"),
      expect.stringContaining("its time"),
    ]);
    expect((pieces[2]?.atMs ?? 0) - (pieces[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(2000);
  });

  test("have refusals with their status", async () => {
    place = rig({ onSubmit: (submit) => submit.refuse(0x0b) });
    await place.send(await place.account(), "OTP", [TO], { body: "Code 1234" });
    await place.untilAll("FAILED", 1);
    expect((await captured()).map(({ pdu }) => [pdu.command, pdu.status])).toEqual([
      ["submit_sm", 0],
      ["submit_sm_resp", 0x0b],
    ]);
  });

  test("show no text without being asked to, in as many octets", async () => {
    place = rig();
    await place.send(await place.account(), "OTP", [TO], { body: "Code 1234" });
    await place.untilAll("SENT", 1);
    const masked = await trace({ hex: "", pcap: "file" });
    const shown = await trace({ hex: "", pcap: "file", "show-text": "" });
    const code = Buffer.from("1234").toString("hex");
    const hexOf = ({ pdus = [] }: TraceView) => pdus.map(({ hex }) => hex.replaceAll(" ", ""));
    expect(hexOf(shown)[0]).toContain(code);
    expect(hexOf(masked)[0]).not.toContain(code);
    expect(Buffer.from(masked.pcap ?? "", "base64").includes("1234")).toBe(false);
    expect(hexOf(masked).map((hex) => hex.length)).toEqual(hexOf(shown).map((hex) => hex.length));
    expect(hexOf(masked)).toEqual((await captured()).map(({ octets }) => octets.toString("hex")));
    expect((await trace({})).pdus).toBe(undefined);
  });
});
