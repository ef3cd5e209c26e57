/** A statement of consumption as a PDF, in the reader's language, with the seller's name, logo and colour. */
import type { PDFFont, PDFPage } from "@cantoo/pdf-lib";
import type { Logo } from "../../config/logo.ts";
import type { Xof } from "../../core/money.ts";
import { isMessageClass } from "../../domain/accounts/message-class.ts";
import { type Locale, type Phrase, phrase } from "../../i18n/phrase.ts";
import { renderIn, renderTo } from "../../i18n/text.ts";
import { francs, REGIONS, wholeNumber } from "../../i18n/values.ts";

/** What stands on it, as `wallet invoice` answers. */
export type StatementOnPaper = {
  readonly number: string | null;
  readonly account: string;
  readonly seller?: {
    readonly name: string;
    readonly address: readonly string[];
    readonly tax_numbers: readonly string[];
  };
  readonly from: string | null;
  readonly to: string | null;
  readonly is_provisional: boolean;
  readonly due_on: string | null;
  readonly payment: Phrase | null;
  readonly lines: readonly {
    readonly operator: string;
    readonly message_class: string;
    readonly price: Xof;
    readonly billed_segments: number;
    readonly charged: Xof;
    readonly still_reserved: Xof;
  }[];
  readonly total: { readonly charged: Xof; readonly still_reserved: Xof };
  readonly taxes: readonly { readonly name: string; readonly percent: number; readonly amount: Xof }[];
  readonly total_with_taxes: Xof;
};

export type PaperLook = {
  readonly locale: Locale;
  /** When it is drawn up. */
  readonly atMs: number;
  readonly logo: Logo | null;
  /** As `#0a7d4f`; empty for none. */
  readonly colour: string;
  /** What operators are called, by their codes. */
  readonly names: Readonly<Record<string, string>>;
};

/** A4, in points. */
const PAGE: [width: number, height: number] = [595.28, 841.89];
const MARGIN = 50;
const RIGHT = PAGE[0] - MARGIN;
const SMALL = 9;
const TEXT = 10;
const LINE = 15;
/** Room below the last line of a page, for its foot. */
const FOOT = 70;
const LOGO_BOX = { width: 150, height: 45 };
const BAR_HEIGHT = 6;
const TABLE_TOP = 12;

/** The right edges of columns of figures; the first two columns begin at the left of theirs. */
const COLUMNS = { operator: MARGIN, kind: MARGIN + 150, price: 340, count: 430, amount: RIGHT };

/** Makes the file. */
export async function renderStatementPdf(
  paper: StatementOnPaper,
  look: PaperLook,
): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded only here: most commands print nothing.
  const { PDFDocument, StandardFonts, rgb } = await import("@cantoo/pdf-lib");
  const { locale } = look;
  const file = await PDFDocument.create();
  const regular = await file.embedFont(StandardFonts.Helvetica);
  const bold = await file.embedFont(StandardFonts.HelveticaBold);
  const letters = new Set(regular.getCharacterSet());
  const say = (words: Phrase): string => renderTo({ locale, timeZone: "UTC" }, words);
  const title = say(phrase("paper.title"));
  file.setTitle(paper.number === null ? title : `${title} ${paper.number}`);
  file.setLanguage(REGIONS[locale]);
  file.setProducer("Bendre");
  file.setCreationDate(new Date(look.atMs));
  file.setModificationDate(new Date(look.atMs));

  let page: PDFPage = file.addPage(PAGE);
  let y = PAGE[1] - MARGIN;
  const at = (text: string, x: number, font: PDFFont = regular, size = TEXT) =>
    page.drawText(writable(text, letters), { x, y, font, size });
  const atRight = (text: string, x: number, font: PDFFont = regular) => {
    const shown = writable(text, letters);
    page.drawText(shown, { x: x - font.widthOfTextAtSize(shown, TEXT), y, font, size: TEXT });
  };
  const row = (height = LINE) => {
    y -= height;
    if (y >= FOOT) return;
    page = file.addPage(PAGE);
    y = PAGE[1] - MARGIN;
  };
  const rule = () =>
    page.drawLine({
      start: { x: MARGIN, y: y - 4 },
      end: { x: RIGHT, y: y - 4 },
      thickness: 0.5,
      color: rgb(0.6, 0.6, 0.6),
    });
  const shorten = (text: string, width: number, font: PDFFont = regular, size = TEXT): string => {
    const shown = [...writable(text, letters)];
    if (font.widthOfTextAtSize(shown.join(""), size) <= width) return shown.join("");
    while (shown.length > 1 && font.widthOfTextAtSize(`${shown.join("")}…`, size) > width) shown.pop();
    return `${shown.join("")}…`;
  };

  if (look.colour !== "") {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
      (from) => Number.parseInt(look.colour.slice(from, from + 2), 16) / 255,
    );
    page.drawRectangle({
      x: 0,
      y: PAGE[1] - BAR_HEIGHT,
      width: PAGE[0],
      height: BAR_HEIGHT,
      color: rgb(red, green, blue),
    });
  }
  if (look.logo !== null) {
    const { type, bytes } = look.logo;
    try {
      if (type === "image/png") {
        const picture = await file.embedPng(bytes);
        const size = picture.scaleToFit(LOGO_BOX.width, LOGO_BOX.height);
        page.drawImage(picture, { ...size, x: MARGIN, y: y - size.height });
      } else {
        await page.drawSvg(new TextDecoder().decode(bytes), { x: MARGIN, y, ...LOGO_BOX });
      }
      y -= LOGO_BOX.height + 2 * LINE;
    } catch {
      // A picture that cannot be drawn is left out: the rest is what the client needs.
    }
  }
  const wide = RIGHT - MARGIN;
  if (paper.seller) {
    at(shorten(paper.seller.name, wide, bold, 12), MARGIN, bold, 12);
    for (const line of [...paper.seller.address, ...paper.seller.tax_numbers]) {
      row(12);
      at(shorten(line, wide, regular, SMALL), MARGIN, regular, SMALL);
    }
    row(2 * LINE);
  }
  at(title, MARGIN, bold, 16);
  row(20);
  const other = locale === "fr" ? "en" : "fr";
  at(say(phrase("cli.no_invoice")), MARGIN, bold);
  row();
  at(renderIn(other, phrase("cli.no_invoice")), MARGIN, regular, SMALL);
  row(2 * LINE);
  at(shorten(paper.account, wide, bold), MARGIN, bold);
  const day = (instant: string) => longDay(locale, instant);
  const facts = [
    ...(paper.number === null ? [] : [say(phrase("paper.number", { number: paper.number }))]),
    say(phrase("paper.issued", { day: day(new Date(look.atMs).toISOString()) })),
    ...(paper.from === null || paper.to === null
      ? []
      : [say(phrase("paper.period", { from: day(paper.from), to: day(lastDay(paper.to)) }))]),
    ...(paper.due_on === null ? [] : [say(phrase("paper.due", { day: day(paper.due_on) }))]),
    ...(paper.payment === null ? [] : [say(paper.payment)]),
  ];
  for (const fact of facts) {
    row();
    at(fact, MARGIN);
  }
  if (paper.is_provisional) {
    row();
    at(say(phrase("paper.provisional")), MARGIN, bold);
  }
  row(LINE + TABLE_TOP);
  at(say(phrase("paper.operator")), COLUMNS.operator, bold);
  at(say(phrase("paper.class")), COLUMNS.kind, bold);
  atRight(say(phrase("paper.price")), COLUMNS.price, bold);
  atRight(say(phrase("paper.count")), COLUMNS.count, bold);
  atRight(say(phrase("paper.amount")), COLUMNS.amount, bold);
  rule();
  for (const line of paper.lines) {
    if (line.charged === 0 && line.still_reserved === 0 && line.billed_segments === 0) continue;
    row();
    const kind = line.message_class;
    at(shorten(look.names[line.operator] ?? line.operator, 145), COLUMNS.operator);
    at(isMessageClass(kind) ? say(phrase(`sheet.class.${kind}`)) : kind, COLUMNS.kind);
    atRight(francs(locale, line.price), COLUMNS.price);
    atRight(wholeNumber(locale, line.billed_segments), COLUMNS.count);
    atRight(francs(locale, line.charged), COLUMNS.amount);
  }
  rule();
  const sum = (name: string, amount: Xof, font: PDFFont) => {
    row(LINE + 3);
    at(shorten(name, COLUMNS.count - MARGIN, font), MARGIN, font);
    atRight(francs(locale, amount), COLUMNS.amount, font);
  };
  const isTaxed = paper.taxes.length > 0;
  sum(say(phrase("paper.total")), paper.total.charged, isTaxed ? regular : bold);
  for (const { name, percent, amount } of paper.taxes) {
    const share = new Intl.NumberFormat(REGIONS[locale], { maximumFractionDigits: 2 }).format(percent);
    sum(say(phrase("paper.tax", { name, percent: share })), amount, regular);
  }
  if (isTaxed) sum(say(phrase("paper.total_with_taxes")), paper.total_with_taxes, bold);
  if (paper.total.still_reserved > 0) {
    sum(say(phrase("paper.reserved")), paper.total.still_reserved, regular);
  }
  row(2 * LINE);
  at(say(phrase("paper.counts")), MARGIN, regular, SMALL);

  const pages = file.getPages();
  for (const [index, each] of pages.entries()) {
    const place = say(phrase("paper.page", { page: index + 1, pages: pages.length }));
    const foot = paper.number === null ? place : `${paper.number} · ${place}`;
    each.drawText(writable(foot, letters), { x: MARGIN, y: MARGIN - 15, font: regular, size: SMALL });
  }
  return new Uint8Array(await file.save());
}

/**
 * A text in the letters of the standard fonts, those of Windows-1252: narrow no-break spaces are no-break spaces, a minus is a dash,
 * and of a letter that is missing the mark is left out, or else it is a question mark.
 */
function writable(text: string, letters: ReadonlySet<number>): string {
  const spaced = text.normalize("NFC").replaceAll("\u202f", "\u00a0").replaceAll("\u2212", "\u2013");
  const has = (letter: string): boolean => letters.has(letter.codePointAt(0) ?? 0) || letter === "\u00a0";
  return [...spaced]
    .map((letter) => {
      if (has(letter)) return letter;
      const plain = letter.normalize("NFD").replaceAll(/\p{M}/gu, "");
      return plain !== "" && [...plain].every(has) ? plain : "?";
    })
    .join("");
}

/** A day of UTC in words: `1er mars 2026`, `1 March 2026`. */
function longDay(locale: Locale, instant: string): string {
  const format = new Intl.DateTimeFormat(REGIONS[locale], { dateStyle: "long", timeZone: "UTC" });
  const day = format.format(new Date(instant));
  return locale === "fr" ? day.replace(/^1 /, "1er ") : day;
}

/** The instant before an end, whose day is the last one of a period. */
function lastDay(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString();
}
