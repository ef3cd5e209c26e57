import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { runSmsc, type SmscIo } from "../../src/smsc/command.ts";
import { FLAGS } from "../../src/smsc/flags.ts";
import { invocationOf, smscUsage } from "../../src/smsc/invocation.ts";
import { MAGIC } from "../../src/smsc/magic.ts";
import { DEFAULTS } from "../../src/smsc/settings.ts";
import { seededChance } from "../kit/test-chance.ts";
import { esme, submit } from "./esme.ts";

async function* nothing(): AsyncGenerator<Uint8Array> {}

function process(until: Promise<void> = Promise.resolve(), typed: AsyncIterable<Uint8Array> = nothing()) {
  const out: string[] = [];
  const err: string[] = [];
  const waiters = new Set<() => void>();
  const io: SmscIo = {
    clock: systemClock,
    chance: seededChance(1),
    untilStop: () => until,
    input: () => typed,
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
  return { io, out, err, line };
}

function settingsOf(...words: string[]) {
  const invocation = invocationOf(words);
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
    [["--prot", "1"], "unknown flag --prot"],
    [["--port"], "--port needs N"],
    [["--port", "65536"], "--port needs N"],
    [["--delivered-percent", "101"], "--delivered-percent needs 0-100"],
    [["--no-tlvs=1"], "--no-tlvs takes no value"],
    [["2775"], "unknown flag 2775"],
  ])("%j is wrong", (words, problem) => {
    expect(invocationOf(words)).toEqual({ kind: "wrong", problem });
  });

  test("the help names every flag and every ending", () => {
    const usage = smscUsage();
    for (const { name } of FLAGS) expect(usage).toContain(`--${name}`);
    for (const ending of MAGIC.keys()) expect(usage).toContain(`…${ending}`);
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
});
