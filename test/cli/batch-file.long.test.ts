import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../../src/cli/cli.ts";
import { bookOf, said, workbookOf } from "../domain/imports/workbook-of.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
beforeEach(async () => {
  fixture = cliFixture();
  await fixture.run("account", "create", "--name", "Faso", "--billing", "prepaid", "--short-name", "faso");
  await fixture.run("sender", "request", "faso", "SHOP");
  await fixture.run("sender", "approve", "faso", "SHOP");
  await fixture.run("wallet", "topup", "faso", "1000", "--reference", "r1");
});
afterEach(() => fixture.close());

/** A file of this name; its path. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(dirname(fixture.data), name);
  writeFileSync(path, content);
  return path;
}

const TEXT = ["--sender", "SHOP", "--class", "transactional", "--body", "Bonjour {nom}"];
const send = (path: string, ...more: string[]) =>
  fixture.json("batch", "send", "faso", "--recipients", path, ...TEXT, ...more);
const spendable = async () => (await fixture.json("wallet", "show", "faso")).data?.spendable;
const audited = async (): Promise<unknown> => {
  const { data } = await fixture.json("audit", "list", "--action", "batch send");
  return data?.entries;
};

describe("batch send", () => {
  test("a file of numbers becomes a batch, and is recorded", async () => {
    const { data } = await send(file("clients.csv", "Numéro;nom\n05123456;Awa\n05123457;Moussa\n"));
    expect(data).toMatchObject({ status: "QUEUED", accepted: 2, reserved_amount: 30, is_replayed: false });
    expect(await spendable()).toBe(970);
    expect(await audited()).toMatchObject([
      { actor: "awa", detail: { step: "accepted", batch_id: data?.batch_id, amount: 30 } },
      { actor: "awa", detail: { step: "asked" } },
    ]);
  });

  test("a workbook does as well", async () => {
    const book = workbookOf([said("tel") + said("nom"), `<c><v>22605123456</v></c>${said("Awa")}`]);
    expect((await send(file("clients.xlsx", book))).data).toMatchObject({ accepted: 1 });
  });

  test("numbers that are not sent as a workbook shows them are told with the figures, before they are sent", async () => {
    const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="3"/><xf numFmtId="9"/></cellXfs></styleSheet>';
    const rows = [
      ["tel", "nom", "autre"].map(said).join(""),
      '<c><v>22605123456</v></c><c s="1"><v>25000</v></c><c s="1"><v>25000</v></c>',
      '<c><v>22605123457</v></c><c s="2"><v>0.1</v></c>',
    ];
    const path = file("soldes.xlsx", workbookOf(rows, { "xl/styles.xml": styles }));
    const told = [{ column: "nom", rows: 1, line: 2, sent_as: "25000", format: "#,##0" }];
    expect((await send(path, "--quote")).data).toMatchObject({ unfollowed_formats: told });
    const words = ["batch", "send", "faso", "--recipients", path, ...TEXT, "--quote"];
    expect((await fixture.run(...words)).out).toMatch(
      /unfollowed formats:\n.*\n\s+nom +1 +2 +25000 +#,##0\n/,
    );
    expect((await fixture.runIn({ LANG: "fr_FR.UTF-8" }, ...words)).out).toContain("formats non suivis");
    expect((await send(path)).data).toMatchObject({ accepted: 2, unfollowed_formats: told });
  });

  test("title lines are told as what they are; sheet and row of the headings can be said", async () => {
    const path = file("titres.csv", "Clients de novembre;2026\n\ntel;nom\n05123456;Awa\n");
    const note = { code: "TITLE_LINES", count: 1, text: "Clients de novembre · 2026" };
    const quoted = await send(path, "--quote");
    expect(quoted.data).toMatchObject({ accepted: 1, file_notes: [note] });
    const words = ["batch", "send", "faso", "--recipients", path, ...TEXT, "--quote"];
    expect((await fixture.run(...words)).out).toContain("1 line above the headings is a title");
    const book = file(
      "feuilles.xlsx",
      bookOf(
        ["2025", ["tel", "nom"], ["05123450", "Ali"]],
        ["2026", ["Tél", "25301122"], ["tel", "nom"], ["05123456", "Awa"], ["05123457", "Léa"]],
      ),
    );
    expect((await send(book, "--quote")).data).toMatchObject({ accepted: 1 });
    const chosen = ["--sheet", "2026", "--heading-row", "2"];
    expect((await send(book, ...chosen)).data).toMatchObject({ accepted: 2, file_notes: [{ count: 1 }] });
    expect((await send(book, "--sheet", "2027")).error?.code).toBe("INVALID_FILE");
    expect((await send(path, "--sheet", "2")).error?.code).toBe("INVALID_FILE");
    expect((await send(path, "--heading-row", "x")).error?.code).toBe("INVALID_NUMBER");
    expect((await send(path, "--heading-row", "2")).error?.code).toBe("INVALID_FILE");
  });

  test("a text with a broken octet is not sent: its line is told", async () => {
    const path = file("clients.csv", "tel,nom\n05123456,Awa\n");
    const text = file(
      "texte.txt",
      Buffer.concat([Buffer.from("Zoé\nété "), Buffer.from([0xe9]), Buffer.from("\n")]),
    );
    const { error } = await fixture.json(
      ...["batch", "send", "faso", "--recipients", path, "--sender", "SHOP", "--class", "transactional"],
      ...["--body-file", text],
    );
    expect(error).toMatchObject({
      code: "INVALID_TEXT",
      detail: expect.stringContaining("line 2 of the text"),
    });
  });

  test("said again the same day, nothing is sent twice; under another key it is", async () => {
    const path = file("clients.csv", "tel,nom\n05123456,Awa\n");
    const first = await send(path);
    const second = await send(path);
    expect(second.data).toEqual({ ...first.data, is_replayed: true });
    expect(await spendable()).toBe(985);
    const other = await send(path, "--idempotency-key", "k2");
    expect(other.data).toMatchObject({ is_replayed: false });
    const changed = file("clients.csv", "tel,nom\n05123457,Awa\n");
    expect((await send(changed, "--idempotency-key", "k2")).error?.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("with a bad row nothing is sent, and each is named; unless they are to be left out", async () => {
    const path = file("clients.csv", "tel,nom\n05123456,Awa\n,Issa\n7.6E+07,Ali\n123,Léa\n");
    const refused = await send(path);
    expect(refused.error?.code).toBe("INVALID_FILE");
    expect(refused.error?.detail).toContain("3 row(s) cannot be read");
    for (const line of [3, 4, 5]) expect(refused.error?.detail).toContain(`line ${line}: `);
    expect(await spendable()).toBe(1000);
    expect((await send(path, "--skip-bad-rows")).data).toMatchObject({ accepted: 1, rejected: 0 });
    const french = await fixture.runIn(
      { LANG: "fr_FR.UTF-8" },
      ...["batch", "send", "faso", "--recipients", path, ...TEXT],
    );
    expect(french.err).toContain("ligne 3 : aucun numéro".replaceAll(" :", "\u00a0:"));
  });

  test("rows that are left out are named, and kept with the batch as the console keeps them", async () => {
    const path = file("clients.csv", "tel;nom;dette\n05123456;Awa;1\n;Issa;2\n5123457;Ali;3\ndemain;Léa;4\n");
    const left = [
      { line: 3, cause: "it has no number" },
      { line: 4, cause: expect.stringContaining('"5123457" is missing a digit') },
      { line: 5, cause: '"demain" is not a phone number' },
    ];
    const named = { unreadable: 3, unreadable_rows: left };
    const quoted = await send(path, "--skip-bad-rows", "--quote");
    expect(quoted.data).toMatchObject({ accepted: 1, ...named });
    const { data } = await send(path, "--skip-bad-rows");
    expect(data).toMatchObject({ accepted: 1, is_replayed: false, ...named });
    expect((await send(path, "--skip-bad-rows")).data).toMatchObject({ is_replayed: true, ...named });
    const words = ["batch", "send", "faso", "--recipients", path, ...TEXT, "--skip-bad-rows"];
    const table = await fixture.run(...words);
    expect(table.out).toMatch(/unreadable rows:\n\s+LINE +CAUSE\n\s+3 +it has no number\n/);
    const french = await fixture.runIn({ LANG: "fr_FR.UTF-8" }, ...words);
    expect(french.out).toMatch(/lignes illisibles.*\n.*LIGNE.*\n\s+3 +aucun numéro\n/);

    const shown = await fixture.json("batch", "show", String(data?.batch_id));
    expect(shown.data).toMatchObject(named);
    const found = await fixture.json("data", "export", "05123457");
    expect(found.data?.unreadable_rows).toMatchObject([{ line: 4, attributes: { nom: "Ali" } }]);
  });

  test("without bad rows none is named", async () => {
    const path = file("clients.csv", "tel,nom\n05123456,Awa\n");
    const { data } = await send(path, "--skip-bad-rows");
    expect(data).toMatchObject({ unreadable: 0, unreadable_rows: [] });
    const shown = await fixture.json("batch", "show", String(data?.batch_id));
    expect(shown.data).toMatchObject({ unreadable: 0, unreadable_rows: [] });
    expect((await send(path)).data).not.toHaveProperty("unreadable");
  });

  test("what the intake refuses is refused in its words", async () => {
    const path = file("clients.csv", "tel,nom\n05123456,Awa\n");
    const words = ["--sender", "NOBODY", "--class", "MARKETING", "--body", "x"];
    const refused = await fixture.json("batch", "send", "faso", "--recipients", path, ...words);
    expect(refused.error).toMatchObject({ code: "SENDER_NOT_APPROVED" });
    const wrong = await send(path, "--scheduled-at", "yesterday");
    expect(wrong.error?.code).toBe("VALIDATION_FAILED");
    const poor = file(
      "many.csv",
      `tel,nom\n${Array.from({ length: 90 }, (_, n) => `051234${n + 10},A\n`).join("")}`,
    );
    expect((await send(poor)).error).toMatchObject({ code: "INSUFFICIENT_FUNDS" });
  });

  test("on a terminal the cost is shown first, and only who agrees sends", async () => {
    const path = file("clients.csv", "tel,nom\n05123456,Awa\n");
    const typed = async (answer: string | null, ...more: string[]) => {
      let out = "";
      const code = await runCli(["batch", "send", "faso", "--recipients", path, ...TEXT, ...more], {
        out: (text) => {
          out += text;
        },
        err: () => {},
        ask: async (question) => {
          out += question;
          return answer;
        },
        env: { BENDRE_CONFIG: fixture.configPath, SUDO_USER: "awa" },
      });
      return { code, out };
    };
    expect(await typed("")).toMatchObject({ code: 1, out: expect.stringContaining("Send it?") });
    expect(await typed(null)).toMatchObject({ code: 1 });
    expect(await spendable()).toBe(1000);
    expect(await typed("yes")).toMatchObject({ code: 0, out: expect.stringContaining("spendable after") });
    expect(await spendable()).toBe(985);
    const agreed = await typed(null, "--yes", "--idempotency-key", "k2");
    expect(agreed.out).not.toContain("Send it?");
    expect(agreed.code).toBe(0);
  });
});

describe("batch quote", () => {
  const body = { sender: "SHOP", body: "Ça va {nom}", message_class: "TRANSACTIONAL" };
  const recipients = [{ msisdn: "05123456", attributes: { nom: "Awa" } }, { msisdn: "nobody" }];

  test("of a body as clients send it, and of a file, writes nothing", async () => {
    const path = file("batch.json", JSON.stringify({ ...body, recipients }));
    const { data } = await fixture.json("batch", "quote", "faso", path);
    expect(data).toMatchObject({
      accepted: 1,
      rejected: 1,
      amount: 15,
      is_payable: true,
      spendable_after: 985,
      by_operator: [{ operator: "orange", messages: 1 }],
    });
    const csv = file("clients.csv", "tel,nom\n05123456,Awa\n");
    const other = await fixture.json("batch", "quote", "faso", csv, ...TEXT);
    expect(other.data).toMatchObject({ accepted: 1, amount: 15 });
    const before = await send(csv, "--quote");
    expect(before.data).toEqual({ ...other.data, starts_at: expect.any(String) });
    expect(await spendable()).toBe(1000);
    expect((await fixture.json("batch", "list", "faso")).data?.batches).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  test("of a file has tags that read as its headings do, and tells of braces that name no column", async () => {
    const csv = file("clients.csv", "tel;Nom complet;Prix (F)\n05123456;Awa Ba;5\n05123457;Issa;\n");
    const words = ["--sender", "SHOP", "--class", "otp", "--body"];
    const text = "{Nom complet}, { Prix (F) } F. {nom complet}";
    const { data } = await fixture.json("batch", "quote", "faso", csv, ...words, text);
    expect(data?.warnings).toMatchObject([
      { code: "MISSING_ATTRIBUTE", tag: "Prix_(F)", recipients: 1 },
      { code: "TEXT_IN_BRACES", tag: "nom complet", nearest: "Nom_complet", recipients: 2 },
    ]);
    const sent = await fixture.json(
      ...["batch", "send", "faso", "--recipients", csv, ...words, "Cher {Nom complet}"],
    );
    expect([sent.data?.warnings, sent.data?.accepted]).toEqual([[], 2]);
    const french = await fixture.runIn(
      { LANG: "fr_FR.UTF-8" },
      ...["batch", "quote", "faso", csv, ...words, "Cher {nom complet}"],
    );
    expect(french.out).toContain("{nom complet} part tel quel");
  });

  test("says what is wrong with the body, field by field", async () => {
    const path = file("batch.json", JSON.stringify({ ...body, recipient: recipients }));
    const { error } = await fixture.json("batch", "quote", "faso", path);
    expect(error?.code).toBe("VALIDATION_FAILED");
    expect(error?.detail).toContain("/recipient is not a known field; did you mean recipients?");
    for (const text of ["{", "#", "#{}\n{}", "# a comment\n{}"]) {
      const broken = await fixture.json("batch", "quote", "faso", file("broken.json", text));
      expect(broken.error?.code).toBe("VALIDATION_FAILED");
    }
  });
});
