import { Value } from "typebox/value";
import { describe, expect, test } from "vitest";
import { whatsappFaults } from "../../../src/config/parse-config.ts";
import { WhatsappSchema } from "../../../src/config/whatsapp-schema.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { obeyLine, type SimulatorIo } from "../../../src/simulator/command.ts";
import {
  parseSimInvocation,
  SIM_FLAGS,
  shareOf,
  simUsage,
} from "../../../src/simulator/whatsapp/invocation.ts";
import { runWhatsappSim } from "../../../src/simulator/whatsapp/run-whatsapp-sim.ts";
import { SIM_DEFAULTS } from "../../../src/simulator/whatsapp/settings.ts";
import { SIM_COMMANDS } from "../../../src/simulator/whatsapp/typed-commands.ts";
import { simRig } from "./rig.ts";

function settingsOf(...words: string[]) {
  const invocation = parseSimInvocation(words);
  if (invocation.kind !== "run") throw new Error(JSON.stringify(invocation));
  return invocation.settings;
}

describe("what bendre whatsapp-sim is told", () => {
  test("everything that may be said is read", () => {
    expect(settingsOf()).toEqual(SIM_DEFAULTS);
    const said =
      "--port 0 --webhook http://127.0.0.1:1/w --app-secret S --verify-token V --seed 7 --lose 0.05 --double 10 --disorder 200";
    expect(settingsOf(...said.split(" "), "--fail=131026:5", "--fail", "131000:.01:status")).toEqual({
      ...SIM_DEFAULTS,
      port: 0,
      webhook: "http://127.0.0.1:1/w",
      appSecret: "S",
      verifyToken: "V",
      seed: 7,
      lose: 0.05,
      double: 0.1,
      disorderMs: 200,
      failures: [
        { code: 131026, share: 0.05, as: "status" },
        { code: 131000, share: 0.01, as: "status" },
      ],
    });
  });

  test.each([
    ["0", 0],
    ["1", 1],
    ["0.5", 0.5],
    ["5", 0.05],
    ["100", 1],
    ["101", null],
    ["x", null],
    ["-1", null],
  ])("%s as a share is %s", (word, share) => {
    expect(shareOf(word)).toBe(share);
  });

  test.each([
    [["--prot", "1"], phrase("simulator.flag.unknown", { flag: "--prot" })],
    [["--fail", "131026"], phrase("simulator.flag.needs", { flag: "fail", value: "CODE:P" })],
    [["--fail", "503:1:status"], phrase("simulator.flag.needs", { flag: "fail", value: "CODE:P" })],
    [["--lose", "200"], phrase("simulator.flag.needs", { flag: "lose", value: "P" })],
    [["--webhook", "nowhere"], phrase("simulator.flag.needs", { flag: "webhook", value: "URL" })],
    [["--wa-id", "22670"], phrase("simulator.flag.needs", { flag: "wa-id", value: "FROM=TO" })],
    [["--gone", "main"], phrase("simulator.flag.needs", { flag: "gone", value: "ID" })],
    [["--json=1"], phrase("simulator.flag.no_value", { flag: "json" })],
  ])("%j is wrong", (words, problem) => {
    expect(parseSimInvocation(words)).toEqual({ kind: "wrong", problem });
  });

  test("users by another number and numbers that are gone may be several", () => {
    const said = "--wa-id 22670=2260 --wa-id usual --gone 1 --gone 2".split(" ");
    expect(settingsOf(...said)).toMatchObject({
      waIds: [{ from: "22670", to: "2260" }, "usual"],
      gone: ["1", "2"],
    });
  });

  test("every example of the help runs", () => {
    const examples = [...simUsage().matchAll(/^ {2}bendre whatsapp-sim (.+)$/gm)].map(
      ([, words = ""]) => words,
    );
    expect(examples.length).toBeGreaterThan(0);
    for (const words of examples) expect(() => settingsOf(...words.split(" "))).not.toThrow();
  });

  test("the help names every flag and every command", () => {
    for (const { name } of SIM_FLAGS) expect(simUsage()).toContain(`--${name}`);
    for (const name of SIM_COMMANDS.keys()) expect(simUsage()).toContain(`  ${name} `);
  });
});

test("it prints the lines of a configuration that fit it, and stops when it is told to", async () => {
  let out = "";
  let stop = () => {};
  const asked = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const io: Omit<SimulatorIo, "chance"> = {
    clock: systemClock,
    untilStop: () => asked,
    input: async function* () {},
    err: () => {},
    out: (text) => {
      out += text;
    },
  };
  const exit = runWhatsappSim(["--port", "0", "--app-secret", "S", "--verify-token", "V"], io);
  const lines = out.slice(out.indexOf("\n") + 1);
  const { whatsapp } = Bun.TOML.parse(lines) as { whatsapp: object };
  expect(whatsapp).toMatchObject({
    app_secret: "S",
    verify_token: "V",
    api: `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(out)?.[1]}`,
    numbers: { main: { price: { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 }, throughput: 80 } },
  });
  const whole = Value.Default(WhatsappSchema, whatsapp);
  expect(Value.Check(WhatsappSchema, whole)).toBe(true);
  expect(whatsappFaults(whole)).toEqual([]);
  stop();
  expect(await exit).toBe(0);
  expect(out).toContain("stopped: 0 posts");
});

test("it says what is wrong, and which port is taken", async () => {
  let err = "";
  const io: Omit<SimulatorIo, "chance"> = {
    clock: systemClock,
    untilStop: () => Promise.resolve(),
    input: async function* () {},
    out: () => {},
    err: (text) => {
      err += text;
    },
  };
  expect(await runWhatsappSim(["--nope"], io)).toBe(2);
  const holder = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  expect(await runWhatsappSim(["--port", String(holder.port)], io)).toBe(1);
  expect(err).toContain("cannot be listened on");
  holder.stop(true);
});

test("what is typed changes templates and writes texts, and the webhook hears of it", async () => {
  const { sim, pass, bodies, stop } = simRig();
  expect(obeyLine(SIM_COMMANDS, sim, "dance")).toMatchObject({ code: "simulator.typed.unknown" });
  expect(obeyLine(SIM_COMMANDS, sim, "mo 22670123456 STOP")).toBeNull();
  expect(obeyLine(SIM_COMMANDS, sim, "marketing 22670123456 stop")).toBeNull();
  expect(obeyLine(SIM_COMMANDS, sim, "marketing 22670123456")).toEqual(phrase("simulator.typed.marketing"));
  expect(obeyLine(SIM_COMMANDS, sim, "template commande_prete PAUSED")).toBeNull();
  expect(obeyLine(SIM_COMMANDS, sim, "template offre_du_jour UTILITY")).toBeNull();
  expect(obeyLine(SIM_COMMANDS, sim, "announce code_de_verification MARKETING")).toBeNull();
  expect(obeyLine(SIM_COMMANDS, sim, "announce code_de_verification")).toEqual(
    phrase("simulator.typed.announce"),
  );
  expect(obeyLine(SIM_COMMANDS, sim, "quality offre_du_jour RED")).toBeNull();
  expect(obeyLine(SIM_COMMANDS, sim, "quality offre_du_jour PURPLE")).toEqual(
    phrase("simulator.typed.quality"),
  );
  expect(
    sim.templates().map(({ status, category, quality_score }) => [status, category, quality_score.score]),
  ).toEqual([
    ["APPROVED", "AUTHENTICATION", "GREEN"],
    ["PAUSED", "UTILITY", "GREEN"],
    ["APPROVED", "UTILITY", "RED"],
  ]);
  await pass(100);
  const told = JSON.stringify(bodies);
  for (const word of [
    '"STOP"',
    '"stop"',
    '"event":"PAUSED"',
    '"previous_category":"MARKETING"',
    '"correct_category":"MARKETING"',
    '"new_quality_score":"RED"',
  ]) {
    expect(told).toContain(word);
  }
  await stop();
});
