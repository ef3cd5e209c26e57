/**
 * What a workbook's format makes of a number (ECMA-376 part 1, 18.8.31), as far as it is followed: zeros, decimals, per cent, durations,
 * dates and times (docs/administration.md#sending-a-file). Where a cell shows more or something else, the result says so. Pure.
 */

/** What a number is sent as, and whether the cell shows it so. */
type ShownNumber = { readonly text: string; readonly isFollowed: boolean };

export type NumberFormat = {
  /** As the workbook has it, for people. */
  readonly code: string;
  /** `from1904`: days are counted from 1904, as old workbooks of Macs do. */
  readonly show: (number: number, from1904: boolean) => ShownNumber;
};

/** A format has no more characters (Excel specifications and limits). */
const MAX_CODE = 255;
const MAX_CODE_SHOWN = 40;
/** More than a number has. */
const MAX_DECIMALS = 30;

/** Reads a format. One that is longer than any can be, or that null stands for, is followed in nothing. */
export function numberFormat(code: string | null): NumberFormat {
  const sections = code === null || code.length > MAX_CODE ? null : sectionsOf(code);
  return {
    code: code === null ? "…" : code.slice(0, MAX_CODE_SHOWN),
    show: (number, from1904) => {
      if (sections === null) return unfollowed(number);
      const section = sectionFor(sections, number);
      if (section === null) return unfollowed(number);
      return "parts" in section ? timeText(number, section, from1904) : digitsText(number, section);
    },
  };
}

/** As a person writes it who has no format: 15 digits, which is what a workbook keeps. */
export function generalText(number: number): string {
  if (number === 0) return "0";
  const point = pointOf(Math.abs(number));
  if (point > 21 || point < -MAX_DECIMALS) return String(Number(number.toPrecision(DIGITS)));
  const decimals = Math.max(0, DIGITS - point);
  const text = fixed(Math.abs(number), decimals, 0);
  return signed(number, text.includes(".") ? text.replace(/0{1,64}$/, "").replace(/\.$/, "") : text);
}

function unfollowed(number: number): ShownNumber {
  return { text: generalText(number), isFollowed: false };
}

type TimePart = "day" | "weekday" | "month" | "year" | "hour" | "minute" | "second";

/** A section that shows a date, a time or a duration. `elapsed`: what a duration counts first. */
type TimeSection = {
  readonly parts: ReadonlySet<TimePart>;
  readonly elapsed: "hour" | "minute" | "second" | null;
  /** How many digits what is counted first has at least. */
  readonly width: number;
  /** Whether figures alone are shown, with signs between them that are written here too. */
  readonly isInFigures: boolean;
};

type DigitsSection = {
  readonly isGeneral: boolean;
  /** Nothing here knows what it shows. */
  readonly isUnknown: boolean;
  readonly zeros: number;
  readonly minDecimals: number;
  readonly maxDecimals: number;
  readonly hasGroups: boolean;
  /** What stands behind the digits of a percentage: `%`, or ` %`; "" of others. */
  readonly percent: string;
  /** What else is shown. */
  readonly literals: string;
};

type Section = TimeSection | DigitsSection;

type TokenKind =
  | ("literal" | "digit" | "time" | "elapsed")
  | ("general" | "unknown" | "text" | "point" | "comma" | "percent" | "half");

/** `text`: of a literal what it shows, else how it is written. */
type Token = { readonly kind: TokenKind; readonly text: string };

/** Cut at its semicolons; what is for texts is left out. */
function sectionsOf(code: string): readonly Section[] {
  const sections: Token[][] = [[]];
  for (const token of tokensOf(code)) {
    if (token === null) sections.push([]);
    else sections.at(-1)?.push(token);
  }
  const ofTexts = sections.findIndex((tokens) => tokens.some(({ kind }) => kind === "text"));
  const numbers = ofTexts > 0 ? sections.slice(0, ofTexts) : sections;
  return numbers.slice(0, 3).map((tokens) => sectionOf(tokens, sections.length === 1));
}

const TIME_LETTERS = /[dmyhs]/i;

/** The tokens of a format; null where a section ends. */
function* tokensOf(code: string): Generator<Token | null> {
  for (let at = 0; at < code.length; ) {
    const sign = code[at] ?? "";
    let length = 1;
    if (sign === ";") yield null;
    else if (sign === '"') {
      const close = code.indexOf('"', at + 1);
      const end = close === -1 ? code.length : close;
      yield { kind: "literal", text: code.slice(at + 1, end) };
      length = end + 1 - at;
    } else if (sign === "\\") {
      yield { kind: "literal", text: code.slice(at + 1, at + 2) };
      length = 2;
    } else if (sign === "_" || sign === "*") length = 2;
    else if (sign === "[") {
      const close = code.indexOf("]", at);
      const end = close === -1 ? code.length : close;
      yield bracketed(code.slice(at + 1, end));
      length = end + 1 - at;
    } else if (/^(?:general|standard)/i.test(code.slice(at, at + 8))) {
      yield { kind: "general", text: "" };
      length = code.slice(at, at + 1).toLowerCase() === "g" ? 7 : 8;
    } else if (/^am\/pm/i.test(code.slice(at, at + 5))) {
      yield { kind: "half", text: "" };
      length = 5;
    } else if (/^a\/p/i.test(code.slice(at, at + 3))) {
      yield { kind: "half", text: "" };
      length = 3;
    } else if (TIME_LETTERS.test(sign)) {
      length = runAt(code, at);
      yield { kind: "time", text: code.slice(at, at + length).toLowerCase() };
    } else yield signToken(sign);
    at += length;
  }
}

function signToken(sign: string): Token {
  switch (sign) {
    case "0":
    case "#":
    case "?":
      return { kind: "digit", text: sign };
    case ".":
      return { kind: "point", text: sign };
    case ",":
      return { kind: "comma", text: sign };
    case "%":
      return { kind: "percent", text: sign };
    case "@":
      return { kind: "text", text: sign };
    default:
      // Exponents, and years of other calendars.
      return /[a-z]/i.test(sign) ? { kind: "unknown", text: sign } : { kind: "literal", text: sign };
  }
}

function bracketed(inside: string): Token {
  if (/^(?:h{1,9}|m{1,9}|s{1,9})$/i.test(inside)) return { kind: "elapsed", text: inside.toLowerCase() };
  // A currency with its language, or a language alone.
  if (inside.startsWith("$")) return { kind: "literal", text: inside.slice(1).split("-", 1)[0] ?? "" };
  const isColour = /^\p{L}{1,20}\s?\d{0,2}$/u.test(inside);
  return isColour ? { kind: "literal", text: "" } : { kind: "unknown", text: inside };
}

/** How often the letter at a place stands there. */
function runAt(code: string, at: number): number {
  const letter = code[at]?.toLowerCase();
  let end = at + 1;
  while (code[end]?.toLowerCase() === letter) end += 1;
  return end - at;
}

/** `isAlone`: a format of nothing shows a number as it is; a section of nothing hides it. */
function sectionOf(tokens: readonly Token[], isAlone: boolean): Section {
  const isTime = tokens.some(({ kind }) => kind === "time" || kind === "elapsed");
  return isTime ? timeSection(tokens) : digitsSection(tokens, isAlone);
}

function timeSection(tokens: readonly Token[]): TimeSection {
  const parts = new Set<TimePart>();
  let elapsed: TimeSection["elapsed"] = null;
  let width = 1;
  let isInFigures = true;
  const times = tokens.filter((token) => token.kind === "time" || token.kind === "elapsed");
  for (const [place, { kind, text }] of times.entries()) {
    const letter = text[0];
    const unit = letter === "h" ? "hour" : letter === "s" ? "second" : "minute";
    if (kind === "elapsed") {
      elapsed ??= unit;
      width = text.length;
    } else if (letter === "d") parts.add(text.length > 2 ? "weekday" : "day");
    else if (letter === "y") parts.add("year");
    else if (letter !== "m") parts.add(unit);
    else {
      const [before, after] = [times[place - 1]?.text[0], times[place + 1]?.text[0]];
      parts.add(text.length <= 2 && (before === "h" || after === "s") ? "minute" : "month");
      if (text.length > 2) isInFigures = false;
    }
    if (letter === "d" && text.length > 2) isInFigures = false;
  }
  const said = tokens.map((token) => (token.kind === "literal" ? token.text : "")).join("");
  if (tokens.some(({ kind }) => kind === "unknown" || kind === "digit") || /[^\s:/.-]/.test(said)) {
    isInFigures = false;
  }
  return { parts, elapsed, width, isInFigures };
}

function digitsSection(tokens: readonly Token[], isAlone: boolean): DigitsSection {
  const point = tokens.findIndex(({ kind }) => kind === "point");
  const before = point === -1 ? tokens : tokens.slice(0, point);
  const whole = before.flatMap((token) => (token.kind === "digit" ? [token.text] : []));
  const fraction = tokens
    .slice(before.length)
    .flatMap((token) => (token.kind === "digit" ? [token.text] : []));
  const firstZero = whole.indexOf("0");
  const lastDigit = before.findLastIndex(({ kind }) => kind === "digit");
  const commas = before.flatMap(({ kind }, place) => (kind === "comma" ? [place] : []));
  const percents = tokens.flatMap(({ kind }, place) => (kind === "percent" ? [place] : []));
  const [percentAt = -1] = percents;
  const isSpaced = percentAt > 0 && isSpace(tokens[percentAt - 1]);
  const isFraction = tokens.some((token) => token.kind === "literal" && token.text === "/");
  const isGeneral =
    tokens.some(({ kind }) => kind === "general") ||
    (tokens.every(({ kind }) => kind === "text") && (isAlone || tokens.length > 0));
  return {
    isGeneral,
    isUnknown:
      (whole.length + fraction.length === 0 && !isGeneral) ||
      (isFraction && whole.length > 1) ||
      // Behind the digits it shows thousands.
      commas.some((place) => place > lastDigit) ||
      percents.length > 1 ||
      tokens.some(({ kind }) => kind === "unknown" || kind === "half"),
    zeros: firstZero === -1 ? 0 : whole.length - firstZero,
    minDecimals: Math.min(MAX_DECIMALS, fraction.lastIndexOf("0") + 1),
    maxDecimals: Math.min(MAX_DECIMALS, fraction.length),
    hasGroups: commas.length > 0,
    percent: percentAt === -1 ? "" : isSpaced ? " %" : "%",
    literals: tokens
      .map((token) => (token.kind === "literal" ? token.text : ""))
      .join("")
      .trim(),
  };
}

function isSpace(token: Token | undefined): boolean {
  return token?.kind === "literal" && token.text.trim() === "";
}

/** The section that is for a number; null where none is. A second one is for what is negative, a third one for zero. */
function sectionFor(sections: readonly Section[], number: number): Section | null {
  const [first = null, second, third] = sections;
  if (number < 0 && second) return withoutSign(second);
  return number === 0 && third ? third : first;
}

/** A section of its own shows the sign of a negative number where it has one in it. */
function withoutSign(section: Section): Section {
  if ("parts" in section) return section;
  const { literals } = section;
  const isSigned = literals.startsWith("-");
  return { ...section, literals: isSigned ? literals.slice(1) : literals || "+" };
}

function digitsText(number: number, section: DigitsSection): ShownNumber {
  if (section.isUnknown) return unfollowed(number);
  const { zeros, minDecimals, maxDecimals, percent, literals } = section;
  if (section.isGeneral) return { text: generalText(number), isFollowed: literals === "" };
  const [whole = "", decimals = ""] = fixed(Math.abs(number), maxDecimals, percent === "" ? 0 : 2).split(".");
  const digits = whole === "0" && zeros === 0 && maxDecimals === 0 ? "0" : whole.padStart(zeros, "0");
  const fraction = decimals.slice(0, minDecimals) + decimals.slice(minDecimals).replace(/0{1,64}$/, "");
  const text = fraction === "" ? digits : `${digits}.${fraction}`;
  const isFollowed = literals === "" && !(section.hasGroups && digits.length > 3);
  const isZero = /^[0.]*$/.test(text);
  return { text: (isZero ? text : signed(number, text)) + percent, isFollowed };
}

const DIGITS = 15;

/** How many digits stand before the point; 0 or less: there are zeros behind it. */
function pointOf(number: number): number {
  const exponent = number.toExponential(DIGITS - 1).split("e")[1] ?? "0";
  return Number.parseInt(exponent, 10) + 1;
}

/** A number from 0 on with so many decimals, half of the last one counted up as people do, its point moved to the right. */
function fixed(number: number, decimals: number, moved: number): string {
  const digits = (number.toExponential(DIGITS - 1).split("e")[0] ?? "0").replace(".", "");
  const kept = pointOf(number) + moved + decimals;
  const scaled =
    kept < 0
      ? 0n
      : kept >= DIGITS
        ? BigInt(digits) * 10n ** BigInt(kept - DIGITS)
        : BigInt(digits.slice(0, kept) || "0") + ((digits[kept] ?? "0") >= "5" ? 1n : 0n);
  const text = scaled.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

function signed(number: number, text: string): string {
  return number < 0 ? `-${text}` : text;
}

const DAY_SECONDS = 86_400;
/** The day 0 of a workbook: 1900 counts as a leap year in it, and only dates before that March are a day off. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
/** The end of the year 9999. */
const LAST_DAY = 2_958_465;

function timeText(number: number, section: TimeSection, from1904: boolean): ShownNumber {
  // A cell shows nothing but signs of what is before the first day or behind the last one.
  if (!(number >= 0 && number < LAST_DAY + 1)) return unfollowed(number);
  const seconds = Math.round(number * DAY_SECONDS);
  const { parts, elapsed, isInFigures } = section;
  if (elapsed !== null) return { text: durationText(seconds, section), isFollowed: isInFigures };
  const iso = new Date((from1904 ? DAY_0_OF_1904 : DAY_0) + seconds * 1000).toISOString();
  const clock = clockText(iso, parts);
  const isDated = parts.has("day") || parts.has("weekday") || parts.has("month") || parts.has("year");
  if (!isDated) return { text: clock, isFollowed: isInFigures || clock.length > 2 };
  const isWhole = parts.has("day") && parts.has("month") && parts.has("year");
  const isWeekday = !parts.has("day") && parts.has("weekday");
  const figures = [
    ...(parts.has("day") || isWeekday ? [iso.slice(8, 10)] : []),
    ...(parts.has("month") || isWeekday ? [iso.slice(5, 7)] : []),
    ...(parts.has("year") || isWeekday ? [iso.slice(0, 4)] : []),
  ];
  const day = figures.join("/");
  return { text: clock === "" ? day : `${day} ${clock}`, isFollowed: isWhole || isInFigures };
}

/** `08:30`, with seconds where they are shown; "" where no time is. */
function clockText(iso: string, parts: ReadonlySet<TimePart>): string {
  return [
    ...(parts.has("hour") ? [iso.slice(11, 13)] : []),
    ...(parts.has("minute") ? [iso.slice(14, 16)] : []),
    ...(parts.has("second") ? [iso.slice(17, 19)] : []),
  ].join(":");
}

/** `26:30`: what is counted first goes on beyond a day or an hour. */
function durationText(seconds: number, { elapsed, parts, width }: TimeSection): string {
  const two = (count: number): string => String(count).padStart(2, "0");
  const first = (count: number): string => String(count).padStart(width, "0");
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  const rest = [
    ...(parts.has("minute") && elapsed === "hour" ? [two(minutes % 60)] : []),
    ...(parts.has("second") && elapsed !== "second" ? [two(seconds % 60)] : []),
  ];
  return [first(elapsed === "hour" ? hours : elapsed === "minute" ? minutes : seconds), ...rest].join(":");
}
