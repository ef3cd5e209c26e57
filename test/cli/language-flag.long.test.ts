import { chmodSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../../src/cli/cli.ts";
import { renderData } from "../../src/cli/render.ts";
import { PLAIN } from "../../src/cli/terminal.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { hasText, withTexts } from "../../src/i18n/text.ts";
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
      expect(err.trimEnd().split("\n").at(-1)).toBe("bendre\u00a0: --language n’accepte que\u00a0: fr, en");
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
      "bendre\u00a0: commande inconnue «\u00a0wallet tpoup\u00a0»\u00a0; vouliez-vous dire «\u00a0wallet topup\u00a0»\u00a0?",
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
    expect(list).toMatch(/^ +NOM +NOM COURT +ÉTAT .* SOLDE +DISPONIBLE /m);
  });
});

/** Names of members, however deep, but for what a record of the audit list notes, which is shown as it is. */
function namesIn(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(namesIn);
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) =>
    name === "detail" ? [name] : [name, ...namesIn(value)],
  );
}

test("every name in the answers of an administrator's day has its French", async () => {
  const day = [
    "account create --name Faso --billing prepaid",
    "account set Faso --low-balance 500",
    "account show Faso",
    "account list",
    "wallet topup Faso 50000 --reference r1",
    "wallet adjust Faso -500 --reason mistake",
    "wallet show Faso",
    "wallet statement Faso",
    "wallet invoice Faso",
    "key create Faso --name shop --scopes all",
    "key list Faso",
    "sender request Faso SHOP",
    "sender approve Faso SHOP",
    "sender register Faso SHOP --operator orange",
    "sender list Faso",
    "sender pending",
    "suppression add Faso 22605000001 --class MARKETING",
    "suppression list Faso",
    "price set Faso --operator orange --amount 0",
    "price list Faso",
    "price history Faso",
    "batch list Faso",
    "message find --account Faso",
    "report delivery",
    "queue show",
    "operator pause orange --reason maintenance",
    "operator resume orange",
    "operator unanswered",
    "operator receipts",
    "inbound list",
    "webhook list Faso",
    "data export 22605000001",
    "data erase 22605000001",
    "storage show",
    "storage purge --dry-run",
    "config diff",
    "alert list",
    "audit list",
    "ledger check",
    "backup create",
    "backup list",
    "backup drill",
    "account suspend Faso --reason unpaid",
    "account close Faso --force",
  ];
  const names = new Set<string>();
  for (const command of day) {
    const { data, error } = await fixture.json(...command.split(" "));
    expect([command, error]).toEqual([command, undefined]);
    for (const name of namesIn(data)) names.add(name);
  }
  expect([...names].filter((name) => !hasText(`label.${name}`))).toEqual([]);
});

describe("a refusal in French", () => {
  test("is the sentence with its values, and the code that scripts know", async () => {
    const { code, err } = await fixture.runIn(FRENCH, "account", "show", "nobody");
    expect(code).toBe(1);
    expect(err).toBe(
      "il n’y a pas de compte «\u00a0nobody\u00a0»\u00a0; «\u00a0account list\u00a0» les liste tous\n(ACCOUNT_NOT_FOUND)\n",
    );
  });

  test("renders a sentence inside a sentence, and a list of them", async () => {
    await fixture.run("account", "create", "--name", "Faso", "--billing", "prepaid");
    const { err: name } = await fixture.runIn(FRENCH, "account", "rename", "Faso", " ");
    expect(name).toBe("le nom ne doit pas être vide\n(INVALID_NAME)\n");
    await fixture.run("wallet", "topup", "Faso", "500", "--reference", "r1");
    const { err: close } = await fixture.runIn(FRENCH, "account", "close", "Faso");
    expect(close).toContain("ne peut pas être fermé\u00a0: son portefeuille contient 500 XOF. Soldez-le");
  });

  test("takes words that a person typed for values, whatever they say", async () => {
    const typed = "x; it owes 5 XOF";
    const { err } = await fixture.runIn(FRENCH, "account", "show", typed);
    expect(err).toContain(`il n’y a pas de compte «\u00a0${typed}\u00a0»`);
  });

  test("a warning in an answer is told in French too", async () => {
    await fixture.run("account", "create", "--name", "Faso", "--billing", "prepaid");
    const price = ["price", "set", "Faso", "--operator", "orange", "--amount", "0"];
    expect((await fixture.runIn(FRENCH, ...price)).out).toContain(
      "les messages vers orange ne coûtent plus rien à ce compte",
    );
  });
});

test("a configuration that is fine, and what it warns of, are told in French", async () => {
  await fixture.run("account", "create", "--name", "Faso", "--billing", "prepaid");
  chmodSync(fixture.data, 0o755);
  const { out } = await fixture.runIn(FRENCH, "config", "check");
  const [fine, directory, warning] = out.split("\n");
  expect(fine).toMatch(/config\.toml est correct\u00a0: 1 opérateur\(s\), orange$/);
  expect(directory).toMatch(/data\u00a0: vérifié, base au schéma \d+$/);
  expect(warning).toMatch(
    /^avertissement\u00a0: .*data est ouvert à d’autres utilisateurs \(mode 0?755\)\u00a0: chmod 700 \([A-Z_]+\)$/,
  );
});

test("a backup without keys warns of it in French", () => {
  const french = { locale: "fr", timeZone: null } as const;
  const shown = renderData(withTexts({ warnings: [phrase("backup.keys.left_out")] }, french), [], {
    ...PLAIN,
    locale: "fr",
  });
  expect(shown).toMatch(
    /^avertissements\u00a0: +les clés n’y sont pas\u00a0: définissez passphrase dans \[backup\]/,
  );
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

describe("a configuration with faults", () => {
  const plain = (text: string) => text.replaceAll("\u00a0", " ");

  test("is told in French, a line each, under the same file, line and key", async () => {
    fixture.close();
    fixture = cliFixture(
      '[defaults]\nregion = "Faso"\n[api]\nbursts = 5\n[operators.orange]\nprefixes = []\n',
    );
    const { code, err } = await fixture.runIn(FRENCH, "config", "check");
    expect(code).toBe(1);
    const lines = plain(err).replaceAll(fixture.configPath, "c.toml").trimEnd().split("\n");
    expect(lines).toEqual([
      'c.toml:2: defaults.region : trouvé "Faso", attendu le code d’un pays en deux majuscules, par exemple BF (ISO 3166-1)',
      "c.toml:4: api.bursts : trouvé une clé inconnue, attendu une clé connue ; vouliez-vous dire burst ?",
      "c.toml:5: operators.orange.connections : trouvé rien, attendu 1 à 32 tables [[operators.CODE.connections]]",
      expect.stringMatching(
        /^c\.toml:6: operators\.orange\.prefixes : trouvé une liste vide, attendu une liste de 1 à 1000/,
      ),
      "(CONFIG_INVALID)",
    ]);
  });

  test("that is no TOML is told in French with its place, its line as it stands", async () => {
    fixture.close();
    fixture = cliFixture("[api]\nburst = \n");
    const { err } = await fixture.runIn(FRENCH, "config", "check");
    expect(plain(err).replaceAll(fixture.configPath, "c.toml")).toMatch(
      /^c\.toml:2:\d+ : TOML incorrect : il manque une valeur après « = ».*\n {4}burst =\n/,
    );
  });
});

test("alarms are listed in the language of the reader, whatever language they are told in elsewhere", () => {
  const alerts = [{ rule: "operator_down", state: "firing", action: phrase("alarm.operator_down.action") }];
  const shown = renderData(withTexts({ alerts }, { locale: "fr", timeZone: null }), [], {
    ...PLAIN,
    locale: "fr",
  });
  expect(shown).toContain("active");
  expect(shown).toContain("donne les dernières erreurs");
});

test("what people wrote is never taken for a word of ours", () => {
  const rows = [
    { text: "final", note: "unanswered" },
    { text: "stopped", note: "waiting" },
  ];
  const shown = renderData({ rows }, [], { ...PLAIN, locale: "fr" });
  for (const word of ["final", "unanswered", "stopped", "waiting"]) expect(shown).toContain(word);
});

test("who sells is shown under its name", () => {
  const seller = { name: "Faso SMS", address: ["01 BP 1"], tax_numbers: ["IFU 1"] };
  const shown = renderData({ seller }, [], { ...PLAIN, locale: "fr" });
  expect(shown).toMatch(/^vendeur.*\n.*nom.*Faso SMS\n.*adresse.*01 BP 1\n.*numéros fiscaux.*IFU 1\n$/);
});
