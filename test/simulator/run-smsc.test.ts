import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { eventLine, type SimulatorIo } from "../../src/simulator/command.ts";
import { DEFAULTS, FLAGS } from "../../src/simulator/flags.ts";
import { parseSmscInvocation, smscUsage } from "../../src/simulator/invocation.ts";
import { MAGIC_NUMBERS } from "../../src/simulator/outcome.ts";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { runSmsc, smscLines } from "../../src/simulator/run-smsc.ts";
import { CONTROL_COMMANDS } from "../../src/simulator/typed-commands.ts";
import { simLine } from "../../src/simulator/whatsapp/run-whatsapp-sim.ts";
import { seededChance } from "../kit/test-chance.ts";
import { esme, submit } from "./esme.ts";

async function* nothing(): AsyncGenerator<Uint8Array> {}

function process(until: Promise<void> = Promise.resolve(), typed: AsyncIterable<Uint8Array> = nothing()) {
  const out: string[] = [];
  const err: string[] = [];
  const waiters = new Set<() => void>();
  let ends = 0;
  const io: SimulatorIo = {
    clock: systemClock,
    chance: seededChance(1),
    untilStop: () => until,
    input: () => typed,
    endInput: () => {
      ends += 1;
    },
    err: (text) => err.push(text),
    out: (text) => {
      out.push(text);
      for (const waiter of [...waiters]) waiter();
    },
  };
  /** Resolves with the first line that contains a text. */
  const line = (containing: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = out.find((text) => text.includes(containing));
        if (found !== undefined) resolve(found);
      };
      waiters.add(look);
      look();
    });
  return { io, out, err, line, ended: () => ends };
}

function settingsOf(...words: string[]) {
  const invocation = parseSmscInvocation(words);
  if (invocation.kind !== "run") throw new Error(JSON.stringify(invocation));
  return invocation.settings;
}

describe("what bendre smsc is told", () => {
  test("nothing means an operator that does everything right, with receipts after a second", () => {
    expect(settingsOf()).toEqual(DEFAULTS);
    expect(DEFAULTS.quirks).toMatchObject({
      receiptDelayMs: 1000,
      deliveredPercent: 100,
      throttlePerSecond: 0,
    });
  });

  test("flags take their value behind them or behind an equals sign", () => {
    const settings = settingsOf(
      "--port",
      "0",
      "--user=a:b:c",
      "--user",
      "d",
      "--no-tlvs",
      "--id-format=uuid",
    );
    expect(settings.port).toBe(0);
    expect(settings.users).toEqual([
      { systemId: "a", password: "b:c" },
      { systemId: "d", password: null },
    ]);
    expect(settings.quirks).toEqual({ ...DEFAULTS.quirks, noTlvs: true, idFormat: "uuid" });
  });

  test.each([
    [["--prot", "1"], phrase("simulator.flag.unknown", { flag: "--prot" })],
    [["--port"], phrase("simulator.flag.needs", { flag: "port", value: "N" })],
    [["--port", "65536"], phrase("simulator.flag.needs", { flag: "port", value: "N" })],
    [
      ["--delivered-percent", "101"],
      phrase("simulator.flag.needs", { flag: "delivered-percent", value: "0-100" }),
    ],
    [["--no-tlvs=1"], phrase("simulator.flag.no_value", { flag: "no-tlvs" })],
    [["2775"], phrase("simulator.flag.unknown", { flag: "2775" })],
    [["--refuse-status", "0x"], phrase("simulator.flag.needs", { flag: "refuse-status", value: "0xNN" })],
    [["--no-tlvs", "--no-receipt-text"], phrase("simulator.flag.no_receipt")],
    [["--tls-key", "key.pem"], phrase("simulator.flag.tls_pair")],
  ])("%j is wrong", (words, problem) => {
    expect(parseSmscInvocation(words)).toEqual({ kind: "wrong", problem });
  });

  test("a status is read in decimal and in hexadecimal", () => {
    expect(settingsOf("--refuse-status", "0x400").quirks.refuseStatus).toBe(1024);
    expect(settingsOf("--refuse-status", "69").quirks.refuseStatus).toBe(0x45);
  });

  test("every quirk has its flag", () => {
    const word = (value: string | null) => (value === null ? [] : [value.split("|").at(-1) ?? ""]);
    const changed = FLAGS.flatMap(({ name, value }) => {
      const digits =
        value === "N" ? ["7"] : value === "0-100" ? ["7"] : value === "0xNN" ? ["0x77"] : word(value);
      const invocation = parseSmscInvocation([`--${name}`, ...digits]);
      if (invocation.kind !== "run") return [];
      const { quirks } = invocation.settings;
      return Object.keys(quirks).filter(
        (key) => Reflect.get(quirks, key) !== Reflect.get(DEFAULTS.quirks, key),
      );
    });
    expect(changed.sort()).toEqual(Object.keys(PLAIN).sort());
  });

  test("the help names every flag, every ending and every command", () => {
    const usage = smscUsage();
    for (const { name } of FLAGS) expect(usage).toContain(`--${name}`);
    for (const command of CONTROL_COMMANDS.keys()) expect(usage).toContain(`  ${command} `);
    for (const ending of MAGIC_NUMBERS.keys()) expect(usage).toContain(`…${ending}`);
  });
});

describe("bendre smsc", () => {
  test("exits 0 after help, 2 after a wrong flag, 1 when its port is taken", async () => {
    const asked = process();
    expect(await runSmsc(["--help"], asked.io)).toBe(0);
    expect(asked.out.join("")).toContain("usage: bendre smsc");
    const wrong = process();
    expect(await runSmsc(["--nope"], wrong.io)).toBe(2);
    expect(wrong.err.join("")).toContain("unknown flag --nope");
    const holder = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const late = process();
    expect(await runSmsc(["--port", String(holder.port)], late.io)).toBe(1);
    holder.stop(true);
  });

  test("prints a text as the handset sees it and what became of it, then stops when asked and exits 0", async () => {
    let stop = () => {};
    const asked = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const { io, line } = process(asked);
    const exit = runSmsc(["--port", "0", "--receipt-delay-ms", "0", "--receipt-jitter-ms", "0"], io);
    const port = Number((await line("listening on")).match(/:(\d+)\n$/)?.[1]);
    const link = await esme(port);
    await link.bind();
    link.write(
      submit(2, "22670123456", { shortMessage: Buffer.from("Bonjour\nà\u001b\u0065".replace("à", "\x7f")) }),
    );
    expect(await line("→")).toMatch(/MAVOIX → \+22670123456 {2}1 part, GSM7 {2}“Bonjour⏎à€”\n$/);
    expect(await line("DELIVRD")).toContain("+22670123456");
    stop();
    expect(await exit).toBe(0);
    await link.closed;
  });

  test("a text, a sender or a name cannot steer the terminal, in lines and in JSON", () => {
    const event = {
      kind: "text",
      atMs: 0,
      from: "A\u202eB",
      to: "22670123456",
      parts: 1,
      alphabet: "UCS2",
      text: "un\u009b2J\u202edeux\u0007",
    } as const;
    expect(eventLine(event, smscLines)).toBe(
      "00:00:00.000  A\\u202eB → +22670123456  1 part, UCS2  “un\\u009b2J\\u202edeux\\u0007”",
    );
    const post = {
      kind: "post",
      atMs: 0,
      phone: "1",
      opaque: "",
      wamid: null,
      to: "1\u009b",
      code: null,
      isAnswered: true,
      text: "x\u202ey",
    } as const;
    expect(eventLine(post, (event) => [simLine(event)])).not.toMatch(/\p{C}/u);
  });

  test("prints one JSON object a line when asked to", async () => {
    let stop = () => {};
    const asked = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const { io, line } = process(asked);
    const exit = runSmsc(["--port=0", "--json"], io);
    const { kind, port } = JSON.parse(await line("listening"));
    expect(kind).toBe("listening");
    const link = await esme(port);
    await link.bind();
    expect(JSON.parse(await line('"bound"'))).toMatchObject({ systemId: "bendre", bind: "transceiver" });
    stop();
    await exit;
    link.close();
  });

  test("obeys what is typed, and exits 3 when rules were broken and it is strict", async () => {
    let stop = () => {};
    const asked = new Promise<void>((resolve) => {
      stop = resolve;
    });
    let type = (_line: string) => {};
    const typed = new ReadableStream<Uint8Array>({
      start: (controller) => {
        type = (line) => controller.enqueue(new TextEncoder().encode(`${line}\n`));
      },
    });
    const { io, err, line, ended } = process(asked, typed);
    const exit = runSmsc(["--port=0", "--control", "--strict"], io);
    const link = await esme(Number((await line("listening on")).match(/:(\d+)\n$/)?.[1]));
    await link.bind();
    type("dance");
    type("mo 22670123456 3333 STOP");
    await link.until("deliver_sm");
    expect(err.join("")).toContain("unknown command dance");
    link.write(submit(2, "+226"));
    await link.until("submit_sm_resp");
    stop();
    expect(await exit).toBe(3);
    expect(ended()).toBe(1);
    const sums = await line("stopped:");
    expect(sums).toContain("1 submit_sm, 0 accepted, 1 refused, 0 unanswered");
    expect(sums).toContain("1 × destination_addr is not a number of 3 to 15 digits");
  });

  test("says which file it cannot read", async () => {
    const { io, err } = process();
    expect(await runSmsc(["--port=0", "--tls-key=none.pem", "--tls-certificate=none.pem"], io)).toBe(1);
    expect(err.join("")).toContain("none.pem");
  });
});
