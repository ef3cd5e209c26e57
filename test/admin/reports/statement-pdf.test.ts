import { inflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import {
  type PaperLook,
  renderStatementPdf,
  type StatementOnPaper,
} from "../../../src/admin/reports/statement-pdf.ts";
import { phrase } from "../../../src/i18n/phrase.ts";

const LINE = {
  operator: "orange",
  message_class: "TRANSACTIONAL",
  price: 15,
  billed_segments: 1200,
  charged: 18_000,
  still_reserved: 0,
};
const PAPER: StatementOnPaper = {
  number: "2M4XZDWT-202603",
  account: "Société Générale d’Élevage — Bœuf",
  seller: { name: "Faso SMS SARL", address: ["01 BP 1234, Ouagadougou 01"], tax_numbers: ["IFU 00012345 A"] },
  from: "2026-03-01T00:00:00.000Z",
  to: "2026-04-01T00:00:00.000Z",
  is_provisional: false,
  due_on: "2026-04-30",
  payment: null,
  lines: [LINE],
  total: { charged: 18_000, still_reserved: 0 },
  taxes: [{ name: "TVA", percent: 18, amount: 3240 }],
  total_with_taxes: 21_240,
};
const LOOK: PaperLook = {
  locale: "fr",
  atMs: Date.UTC(2026, 3, 2),
  logo: null,
  colour: "#0a7d4f",
  names: { orange: "Orange" },
};
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#f00"/></svg>';
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The shown texts of a file, in their order: hexadecimal in Windows-1252 within deflated streams (ISO 32000-1 section 9.4.3). */
function textsIn(pdf: Uint8Array): string[] {
  const octets = Buffer.from(pdf);
  const texts: string[] = [];
  for (let from = octets.indexOf("stream\n"); from >= 0; from = octets.indexOf("stream\n", from + 7)) {
    const end = octets.indexOf("endstream", from);
    if (octets.toString("latin1", from - 3, from) === "end" || end < 0) continue;
    let content: string;
    try {
      content = inflateSync(octets.subarray(from + 7, end)).toString("latin1");
    } catch {
      continue;
    }
    for (const [, hex = ""] of content.matchAll(/<([0-9A-F]+)> Tj/g)) {
      texts.push(new TextDecoder("windows-1252").decode(Buffer.from(hex, "hex")));
    }
  }
  return texts;
}

test("it says in both languages that it is no invoice, and has number, period, due date, taxes and totals", async () => {
  const french = textsIn(await renderStatementPdf(PAPER, LOOK));
  const inOrder = [
    "Faso SMS SARL",
    "IFU 00012345 A",
    "Relevé de consommation",
    "Ce document n’est pas une facture.",
    "This is not an invoice.",
    "Société Générale d’Élevage — Bœuf",
    "Relevé nº\u00a02M4XZDWT-202603",
    "Établi le 2 avril 2026",
    "Période\u00a0: du 1er mars 2026 au 31 mars 2026",
    "À régler avant le 30 avril 2026",
    "Orange",
    "18\u00a0000\u00a0F\u00a0CFA",
    "TVA (18\u00a0%)",
    "3\u00a0240\u00a0F\u00a0CFA",
    "Total, taxes comprises",
    "21\u00a0240\u00a0F\u00a0CFA",
  ];
  expect(
    french.filter((text) => inOrder.includes(text)).filter((text, at, all) => all.indexOf(text) === at),
  ).toEqual(inOrder);
  const english = textsIn(await renderStatementPdf(PAPER, { ...LOOK, locale: "en" }));
  for (const text of ["Usage statement", "Due by 30 April 2026", "TVA (18%)", "21,240\u00a0XOF"]) {
    expect(english).toContain(text);
  }
  for (const text of [...french, ...english]) expect(text).not.toContain("?");
});

test("a prepaid account has paid, and without taxes there is one total", async () => {
  const payment = phrase("paper.prepaid");
  const paper: StatementOnPaper = { ...PAPER, due_on: null, payment, taxes: [] };
  const texts = textsIn(await renderStatementPdf(paper, LOOK));
  expect(texts).toContain("Déjà réglé sur le solde.");
  expect(texts.join("\n")).not.toMatch(/À régler|taxes comprises/);
});

test("a prepaid account with taxes has paid what is before them", async () => {
  const payment = phrase("paper.prepaid.before_taxes", { amount: 18_000 });
  const paper: StatementOnPaper = { ...PAPER, due_on: null, payment };
  expect(textsIn(await renderStatementPdf(paper, LOOK))).toContain(
    "Le montant hors taxes (18\u00a0000\u00a0F\u00a0CFA) a été débité du solde.",
  );
  expect(textsIn(await renderStatementPdf(paper, { ...LOOK, locale: "en" }))).toContain(
    "The amount before taxes (18,000\u00a0XOF) was debited from the balance.",
  );
});

test("it is provisional until its period is over, and says so", async () => {
  const provisional = /^(Provisoire\u00a0: la période|Provisional: the period)/;
  for (const locale of ["fr", "en"] as const) {
    const said = async (paper: StatementOnPaper) =>
      textsIn(await renderStatementPdf(paper, { ...LOOK, locale })).filter((text) => provisional.test(text));
    expect(await said({ ...PAPER, is_provisional: true })).toHaveLength(1);
    expect(await said(PAPER)).toEqual([]);
  }
});

test("many lines take several pages, each with its number", async () => {
  const lines = Array.from({ length: 100 }, (_, n) => ({ ...LINE, price: n + 1 }));
  const pdf = await renderStatementPdf({ ...PAPER, lines }, LOOK);
  expect((await PDFDocument.load(pdf)).getPageCount()).toBe(3);
  expect(textsIn(pdf).filter((text) => text.startsWith("2M4XZDWT-202603 · page"))).toEqual([
    "2M4XZDWT-202603 · page 1 sur 3",
    "2M4XZDWT-202603 · page 2 sur 3",
    "2M4XZDWT-202603 · page 3 sur 3",
  ]);
});

test("a logo of either kind stands on it, and a broken one leaves the rest as it is", async () => {
  const plain = (await renderStatementPdf(PAPER, LOOK)).byteLength;
  const png = { type: "image/png" as const, bytes: new Uint8Array(Buffer.from(PNG, "base64")) };
  const svg = { type: "image/svg+xml" as const, bytes: new TextEncoder().encode(SVG) };
  for (const logo of [png, svg]) {
    expect((await renderStatementPdf(PAPER, { ...LOOK, logo })).byteLength).toBeGreaterThan(plain);
  }
  const broken = [
    { ...png, bytes: png.bytes.slice(0, 20) },
    { ...svg, bytes: new TextEncoder().encode("<svg <<< viewBox") },
  ];
  for (const logo of broken) {
    const texts = textsIn(await renderStatementPdf(PAPER, { ...LOOK, logo }));
    expect(texts).toContain("Relevé de consommation");
  }
});

test("letters that the fonts lack are shown without their marks, or as question marks", async () => {
  const texts = textsIn(await renderStatementPdf({ ...PAPER, account: "Ẽntreprise Kɛlɛn 商" }, LOOK));
  expect(texts).toContain("Entreprise K?l?n ?");
});
