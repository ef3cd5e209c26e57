import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../../src/cli/cli.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
beforeEach(() => {
  fixture = cliFixture();
});
afterEach(() => fixture.close());

const FRENCH = { BENDRE_LANGUAGE: "fr" };
const LISTS = ["liste tous les comptes", "list all accounts"] as const;

/** What `bendre account list --help` speaks with these words around it. */
const spoken = async (env: Record<string, string>, before: string[] = [], behind: string[] = []) => {
  const { out } = await fixture.runIn(env, ...before, "account", "list", "--help", ...behind);
  return LISTS.filter((summary) => out.includes(summary)).join();
};
const [french, english] = LISTS;

describe("the language", () => {
  test("is what --language says, before or behind the command, whatever else is set", async () => {
    const locale = { LANG: "fr_FR.UTF-8", BENDRE_LANGUAGE: "fr" };
    expect(await spoken({}, ["--language", "fr"])).toBe(french);
    expect(await spoken({}, ["--language=fr"])).toBe(french);
    expect(await spoken({}, [], ["--language", "fr"])).toBe(french);
    expect(await spoken({}, [], ["--language=fr"])).toBe(french);
    expect(await spoken(locale, ["--language", "en"])).toBe(english);
    expect(await spoken(locale, [], ["--language", "en"])).toBe(english);
  });

  test("is else $BENDRE_LANGUAGE, else the first of the locale's variables, else English", async () => {
    expect(await spoken({})).toBe(english);
    expect(await spoken({ LANG: "fr_BF.UTF-8" })).toBe(french);
    expect(await spoken({ LC_MESSAGES: "fr_BF", LANG: "en_US.UTF-8" })).toBe(french);
    expect(await spoken({ LC_ALL: "C", LC_MESSAGES: "fr_BF", LANG: "fr_BF" })).toBe(english);
    expect(await spoken({ LC_ALL: "en_GB.UTF-8", BENDRE_LANGUAGE: "fr" })).toBe(french);
    expect(await spoken({ LANG: "fr_BF.UTF-8", BENDRE_LANGUAGE: "tlh" })).toBe(french);
    expect(await spoken({ LANG: "de_DE.UTF-8" })).toBe(english);
  });

  test.each([[["--language", "de", "account", "list"]], [["account", "list", "--language", "de"]]])(
    "that Bendre does not speak is a wrong invocation: %j",
    async (words) => {
      const { code, err } = await fixture.runIn(FRENCH, ...words);
      expect(code).toBe(2);
      expect(err.trimEnd().split("\n").at(-1)).toBe("bendre\u00a0: --language n'accepte que\u00a0: fr, en");
    },
  );

  test("that is named without a value is a wrong invocation too", async () => {
    const { code, err } = await fixture.run("--language");
    expect(code).toBe(2);
    expect(err).toContain("--language needs a value: fr|en");
  });

  test("never changes what --json prints", async () => {
    await fixture.run("account", "create", "--name", "Faso", "--billing", "prepaid");
    for (const words of [
      ["key", "list", "Faso"],
      ["sender", "pending"],
      ["account", "show", "nobody"],
      ["wallet", "topup", "Faso", "x", "--reference", "r"],
    ]) {
      const english = await fixture.run(...words, "--json");
      expect(await fixture.runIn(FRENCH, ...words, "--json")).toEqual(english);
    }
  });
});

describe("in French", () => {
  test("a wrong invocation is told so, and last on the screen", async () => {
    const { err } = await fixture.runIn(FRENCH, "wallet", "tpoup");
    expect(err).toMatch(/^usage\u00a0: bendre COMMANDE/);
    expect(err.trimEnd().split("\n").at(-1)).toBe(
      'bendre\u00a0: commande inconnue "wallet tpoup"\u00a0; vouliez-vous dire "wallet topup"\u00a0?',
    );
  });

  test("answers stand under French names", async () => {
    const { out } = await fixture.runIn(
      FRENCH,
      ...["account", "create", "--name", "Faso", "--billing", "prepaid", "--short-name", "faso"],
    );
    expect(out).toMatch(/^nom court\u00a0: +faso$/m);
    expect(out).toMatch(/^portefeuille\u00a0:$/m);
    const { out: list } = await fixture.runIn(FRENCH, "account", "list");
    expect(list).toMatch(/ NOM +NOM COURT +ÉTAT .* SOLDE +DISPONIBLE$/m);
  });
});

describe("colours", () => {
  const ESCAPE = "\u001b[";
  /** What is printed where both streams are terminals. */
  const onTerminal = async (env: Record<string, string>, ...words: string[]): Promise<string> => {
    let text = "";
    const print = (piece: string) => {
      text += piece;
    };
    const io = { out: print, err: print, columns: 100, errIsTerminal: true };
    await runCli(words, { ...io, env: { BENDRE_CONFIG: fixture.configPath, ...env } });
    return text;
  };

  test("are on a terminal, for heads and for errors", async () => {
    await fixture.run("account", "create", "--name", "Faso", "--billing", "prepaid");
    expect(await onTerminal({}, "account", "list")).toContain(`${ESCAPE}1maccounts:`);
    expect(await onTerminal({}, "account", "show", "nobody")).toContain(`${ESCAPE}1;31m`);
    expect(await onTerminal({}, "account", "shwo")).toContain(`${ESCAPE}1;31mbendre:`);
  });

  test("are nowhere else: not in a pipe, not with NO_COLOR, not on a terminal that knows none", async () => {
    await fixture.run("account", "create", "--name", "Faso", "--billing", "prepaid");
    for (const words of [
      ["account", "list"],
      ["account", "show", "nobody"],
    ]) {
      const { out, err } = await fixture.run(...words);
      expect(out + err).not.toContain(ESCAPE);
      expect(await onTerminal({ NO_COLOR: "1" }, ...words)).not.toContain(ESCAPE);
      expect(await onTerminal({ TERM: "dumb" }, ...words)).not.toContain(ESCAPE);
    }
  });
});
