/** `demo` and `smsc` speak their reader's language. */
import { expect, test } from "vitest";
import { renderLabel } from "../../src/cli/labels.ts";
import { systemChance } from "../../src/core/chance.ts";
import { systemClock } from "../../src/core/clock.ts";
import { runDemo } from "../../src/demo/demo.ts";
import type { Phrase } from "../../src/i18n/phrase.ts";
import { renderIn } from "../../src/i18n/text.ts";
import { runSmsc } from "../../src/simulator/run-smsc.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

const line = (what: Phrase) => renderIn("fr", what);

test("the rehearsal prints French from its first line to its last", async () => {
  let out = "";
  const io = { clock: systemClock, chance: systemChance, untilStop: () => new Promise<void>(() => {}) };
  const print = (text: string) => {
    out += text;
  };
  expect(
    await runDemo(
      { once: true },
      { ...io, out: print, err: print, say: { line, head: (name) => renderLabel(name, "fr") } },
    ),
  ).toBe(0);
  const lines = plain(out).trimEnd().split("\n");
  expect(lines[0]).toMatch(/^lot \w{26} : 12 messages acceptés, 17 segments, 228 XOF réservés$/);
  expect(lines).toContain("les 12 messages ont été livrés");
  expect(lines.at(-1)).toBe("les 4 messages ont été livrés");
  expect(lines.find((line) => line.startsWith("numéro"))).toMatch(/opérateur +état +codage +segments +XOF$/);
  expect(lines.filter((line) => /^(handset|batch|before|after|msisdn)/.test(line))).toEqual([]);
}, 60_000);

test("the simulated operator tells in French what it sees, and what is wrong with how it was called", async () => {
  let err = "";
  const io = {
    out: () => {},
    clock: systemClock,
    chance: systemChance,
    untilStop: () => Promise.resolve(),
    err: (text: string) => {
      err += text;
    },
    input: async function* () {},
    say: line,
  };
  expect(await runSmsc(["--prot", "2775"], io)).toBe(2);
  expect(plain(err)).toMatch(/^bendre smsc : un opérateur simulé/);
  expect(err.trimEnd().split("\n").at(-1)).toBe("bendre smsc: option inconnue --prot");
});
