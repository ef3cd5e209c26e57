import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { parse } from "../../src/cli/parse.ts";
import { renderManual } from "../../src/config/manual.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { parseToml } from "../../src/config/toml.ts";
import { normaliseNumber, prefixTable } from "../../src/domain/submission/phone-numbers.ts";
import { readBatchRequest } from "../../src/domain/submission/request.ts";
import { cliFixture } from "../cli/fixture.ts";

const ROOT = join(import.meta.dir, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
/** The operators of the manual, as a person has them who takes each # away. */
const EXAMPLE = renderManual("en")
  .replaceAll(/^#(?=[\w"[])/gm, "")
  .replaceAll(/\$\{\w+\}/g, "secret");

function exampleConfig() {
  const toml = parseToml(EXAMPLE);
  const result = parseConfig(toml.ok ? toml.document : null, {});
  if (!result.ok) throw new Error("the example configuration is wrong");
  return result.config;
}

describe("the first message of the README", () => {
  const body = /-d '(\{[^']*\})'/.exec(README)?.[1] ?? "";
  const request = readBatchRequest(JSON.parse(body));

  test("is a submission whose shape is right", () => {
    expect(request.ok).toBe(true);
  });

  test("goes to an operator that its sender was registered with, in the example configuration", () => {
    const { operators, defaults } = exampleConfig();
    const registered = [...README.matchAll(/sender register \S+ \S+ --operator (\w+)/g)].map(
      ([, code]) => code,
    );
    const numbers = request.ok ? request.value.recipients.slice(0, 100).map(({ msisdn }) => msisdn) : [];
    expect(numbers).not.toEqual([]);
    for (const msisdn of numbers) {
      const number = normaliseNumber(msisdn, defaults.region, prefixTable(operators));
      expect(registered).toContain(number.kind === "routable" ? number.operator : number.kind);
    }
  });
});

describe("the commands of the README", () => {
  const blocks = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
  const lines = blocks
    .filter((block) => !block.startsWith("curl "))
    .join("")
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => line.replace(/\s+#.*$/, "").split("&&"))
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const typed = lines
    .filter((line) => /^(\.\/dist\/)?bendre /.test(line))
    .map((line) => wordsOf(line).slice(1));

  test("are all of a kind that is tested here", () => {
    const others = lines.filter((line) => !/^((\.\/dist\/)?bendre|npm|cp|export) /.test(line));
    expect(others).toEqual([]);
    expect(typed.length).toBeGreaterThan(7);
  });

  test("that npm runs are scripts of the project, also those that stand in a sentence", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
    const named = [...README.matchAll(/\b(?:npm|bun) run ([\w:]+)/g)].map(([, name]) => name ?? "");
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(README).not.toMatch(/^bun run (?!demo|test)/m);
  });

  test("of the executable are rightly called", () => {
    for (const words of typed) {
      const parsed = parse(words, COMMANDS);
      expect([words, parsed.kind === "wrong" ? parsed.problem : parsed.kind]).toEqual([words, "run"]);
    }
  });

  test("of the administration do what they say, one after the other", async () => {
    const fixture = cliFixture(EXAMPLE);
    const ofServer = /^(serve|config check|operator status)/;
    const hasPlaceholder = (words: readonly string[]) =>
      words.some((word) => /^[A-Z]+$/.test(word) && word !== "PHARMACIE");
    const ran: string[] = [];
    for (const words of typed) {
      if (ofServer.test(words.join(" ")) || hasPlaceholder(words)) continue;
      const { code, err } = await fixture.run(...words);
      expect([words, code, err]).toEqual([words, 0, ""]);
      ran.push(words.slice(0, 2).join(" "));
    }
    expect(ran).toEqual([
      "account create",
      "wallet topup",
      "sender request",
      "sender approve",
      "sender register",
      "key create",
    ]);
    fixture.close();
  });
});

describe("the configuration of the README", () => {
  const [, toml = ""] = /```toml\n([\s\S]*?)```/.exec(README) ?? [];

  test("is one that can be started with, in fifteen lines, and reaches whom the first message is for", () => {
    expect(toml.trim().split("\n").length).toBeLessThanOrEqual(15);
    const document = parseToml(toml.replaceAll(/\$\{\w+\}/g, "secret"));
    const parsed = parseConfig(document.ok ? document.document : null, {});
    if (!parsed.ok) throw new Error("the configuration of the README is wrong");
    const { defaults, operators } = parsed.config;
    const [, msisdn = ""] = /"msisdn":"(\d+)"/.exec(README) ?? [];
    expect(normaliseNumber(msisdn, defaults.region, prefixTable(operators))).toMatchObject({
      kind: "routable",
      operator: "orange",
    });
  });
});

describe("the README in French", () => {
  const french = readFileSync(join(ROOT, "README.fr.md"), "utf8");
  /** What is typed or copied, without what a comment says beside it. */
  const codeOf = (page: string): string[] =>
    [...page.matchAll(/```\w+\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
      block.split("\n").map((line) => line.replace(/\s+#.*$/, "")),
    );

  test("has the same commands and settings", () => {
    expect(codeOf(french)).toEqual(codeOf(README));
    expect(codeOf(french).length).toBeGreaterThan(25);
  });

  test("is as short, and each shows two pictures that are there", () => {
    for (const page of [README, french]) {
      expect(page.split("\n").length).toBeLessThanOrEqual(90);
      const pictures = [...page.matchAll(/scripts\/screenshots\/pictures\/[\w.]+/g)].map(([path]) => path);
      expect(pictures.filter((path) => existsSync(join(ROOT, path)))).toHaveLength(2);
    }
  });
});

/** Words as a shell splits them, as far as the README needs it: quotes around whole words. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}
