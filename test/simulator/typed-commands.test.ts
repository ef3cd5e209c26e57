import { afterEach, describe, expect, test } from "vitest";
import { phrase } from "../../src/i18n/phrase.ts";
import { obeyLine, readLines } from "../../src/simulator/command.ts";
import { CONTROL_COMMANDS } from "../../src/simulator/typed-commands.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { type Esme, esme, receiptText } from "./esme.ts";

const opened: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function bound(): Promise<{ smsc: TestSmsc; link: Esme }> {
  const smsc = await testSmsc();
  opened.push(smsc.stop);
  const link = await esme(smsc.port);
  opened.push(link.close);
  await link.bind();
  return { smsc, link };
}

describe("a line typed to the running operator", () => {
  test("sends a text from a handset, with its spaces and in parts when it is long", async () => {
    const { smsc, link } = await bound();
    expect(obeyLine(CONTROL_COMMANDS, smsc, "mo +22670123456 3333 STOP  merci")).toBeNull();
    expect(receiptText((await link.until("deliver_sm"))[0]!.message)).toBe("STOP  merci");
    expect(obeyLine(CONTROL_COMMANDS, smsc, `mo 22670123456 3333 ${"a".repeat(161)}`)).toBeNull();
    const parts = await link.until("deliver_sm", 3);
    expect(parts.slice(1).map(({ message }) => message.esmClass)).toEqual([0x40, 0x40]);
  });

  test("changes a quirk, and says what it does not know", async () => {
    const { smsc } = await bound();
    expect(obeyLine(CONTROL_COMMANDS, smsc, "set throttle-per-second 20")).toBeNull();
    expect(obeyLine(CONTROL_COMMANDS, smsc, "set --no-tlvs")).toBeNull();
    expect(smsc.quirks()).toMatchObject({ throttlePerSecond: 20, noTlvs: true });
    expect(obeyLine(CONTROL_COMMANDS, smsc, "set throttle-per-second fast")).toEqual(
      phrase("simulator.typed.needs", { name: "throttle-per-second", value: "N" }),
    );
    expect(obeyLine(CONTROL_COMMANDS, smsc, "set port 1")).toEqual(
      phrase("simulator.typed.fixed", { name: "port" }),
    );
    expect(obeyLine(CONTROL_COMMANDS, smsc, "set speed 1")).toEqual(
      phrase("simulator.flag.unknown", { flag: "speed" }),
    );
    expect(obeyLine(CONTROL_COMMANDS, smsc, "mo 22670123456")).toEqual(phrase("simulator.typed.mo"));
    expect(obeyLine(CONTROL_COMMANDS, smsc, "garbage of mine")).toMatchObject({
      code: "simulator.typed.one_of",
    });
    expect(obeyLine(CONTROL_COMMANDS, smsc, "stall")).toEqual(phrase("simulator.typed.stall"));
    expect(obeyLine(CONTROL_COMMANDS, smsc, "dance")).toEqual(
      phrase("simulator.typed.unknown", { name: "dance", known: [...CONTROL_COMMANDS.keys()].join(", ") }),
    );
    expect(obeyLine(CONTROL_COMMANDS, smsc, "   ")).toBeNull();
  });

  test("asks links to unbind, writes garbage, and drops them", async () => {
    const { smsc, link } = await bound();
    expect(obeyLine(CONTROL_COMMANDS, smsc, "garbage stray_response")).toBeNull();
    await link.until("submit_sm_resp");
    expect(obeyLine(CONTROL_COMMANDS, smsc, "unbind")).toBeNull();
    await link.until("unbind");
    expect(obeyLine(CONTROL_COMMANDS, smsc, "drop fin")).toBeNull();
    await link.closed;
  });
});

test("lines are whole however they were cut", async () => {
  async function* pieces() {
    for (const piece of ["un", " deux\ntrois\n", "\nqua", "tre é".slice(0, 5)])
      yield new TextEncoder().encode(piece);
  }
  const lines: string[] = [];
  for await (const line of readLines(pieces())) lines.push(line);
  expect(lines).toEqual(["un deux", "trois", "", "quatre é"]);
});
