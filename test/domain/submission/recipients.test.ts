import { describe, expect, test } from "vitest";
import {
  RECIPIENTS_A_STEP,
  type RequestRecipient,
  unpackRecipients,
} from "../../../src/domain/submission/recipients.ts";
import { MAX_SEGMENTS, weigh } from "../../../src/text/segments.ts";
import { compileTemplate, render } from "../../../src/text/template.ts";
import { packRecipients } from "../../kit/pack-recipients.ts";

const some = (count: number): RequestRecipient[] =>
  Array.from({ length: count }, (_, index) => ({
    msisdn: `7012${index}`,
    attributes: index % 3 === 0 ? null : { name: `Zoé ${index} 😀`, unused: "x".repeat(50), n: index },
  }));

describe("packed recipients", () => {
  test.each([[1], [RECIPIENTS_A_STEP - 1], [RECIPIENTS_A_STEP], [RECIPIENTS_A_STEP + 1], [1001]])(
    "are those that were packed, step by step, as far as the body has tags for them (%i)",
    (count) => {
      const recipients = some(count);
      const list = unpackRecipients(packRecipients(recipients, "{name} {n} {absent} {name}"));
      expect(list.length).toBe(count);
      const read: RequestRecipient[] = [];
      for (let at = 0; at < count; at += RECIPIENTS_A_STEP)
        read.push(...list.slice(at, at + RECIPIENTS_A_STEP));
      expect(read).toEqual(
        recipients.map(({ msisdn, attributes }) => ({
          msisdn,
          attributes: attributes && { name: attributes.name ?? null, n: attributes.n ?? null },
          ...(attributes && { others: ["unused"] }),
        })),
      );
    },
  );

  test("carry what a tag means whose accents are written in another way", () => {
    const body = "{pre\u0301nom} {prénom}";
    const packed = packRecipients([{ msisdn: "1", attributes: { prénom: "Issa" } }], body);
    const [recipient] = unpackRecipients(packed).slice(0, 1);
    expect(render(compileTemplate(body), recipient?.attributes ?? null)).toBe("Issa Issa");
  });

  test("carry the names of other attributes only where a tag has no value", () => {
    const named = (attributes: Record<string, string | null>) =>
      unpackRecipients(packRecipients([{ msisdn: "1", attributes }], "{nom}")).slice(0, 1)[0];
    expect(named({ nom: "", Prénom: "Awa" })).toEqual({ msisdn: "1", attributes: { nom: "" } });
    expect(named({ nom: null, Prénom: "Awa" })?.others).toEqual(["Prénom"]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`a${index}`, "x"]));
    expect(named({ ["x".repeat(65)]: "x", ...many })?.others?.length).toBe(20);
  });

  test("carry nothing for a body without tags", () => {
    expect(unpackRecipients(packRecipients(some(2), "x")).json?.(0, RECIPIENTS_A_STEP)).toBe(
      '[{"msisdn":"70120","attributes":null},{"msisdn":"70121","attributes":null}]',
    );
  });

  test.each([
    ["a"],
    ["é"],
    ["e\u0301"],
    ["ế".normalize("NFD")],
    ["ᾂ".normalize("NFD")],
    ["😀"],
    ["€"],
    ["각".normalize("NFD")],
  ])("keep so much of a value that a text too long to send still is (%j)", (letter) => {
    const long = letter.repeat(300_000);
    const body = "{a}{b}";
    const [recipient] = unpackRecipients(
      packRecipients([{ msisdn: "1", attributes: { a: long, b: long } }], body),
    ).slice(0, 1);
    const text = render(compileTemplate(body), recipient?.attributes ?? null);
    expect(text).not.toBeNull();
    expect(weigh(text ?? "").segments).toBeGreaterThan(MAX_SEGMENTS);
    expect(text?.length).toBeLessThanOrEqual(80_000);
  });
});
