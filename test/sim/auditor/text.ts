/** A text as the specification fills it in and counts it: docs/behaviour.md#tags and #segments, in code of the auditor's own. */

const GSM =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const GSM_EXTENSION = "\f^{}\\[~]|€";

export type Channel = "SMS" | "WHATSAPP";

export type Counted = { readonly encoding: "GSM7" | "UCS2" | "UTF8"; readonly segments: number };

type Attributes = Readonly<Record<string, unknown>>;

/** The text for one recipient as a channel carries it, and what it weighs there. `isFree`: no template says it. */
export function weigh(
  channel: Channel,
  body: string,
  attributes: Attributes,
  isFree = false,
): Counted & { readonly text: string } {
  if (channel === "WHATSAPP") {
    const text = isFree ? render(body, attributes) : folded(render(body, foldedValues(attributes)));
    return { text, encoding: "UTF8", segments: 1 };
  }
  const text = render(body, attributes);
  return { text, ...count(text) };
}

/** docs/behaviour.md#values-of-whatsapp: outer white space goes, every run of it becomes one space. */
export function folded(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

function foldedValues(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === "string" ? folded(value) : value,
    ]),
  );
}

/** The text for one recipient: tags filled in, a missing one empty, then NFC. */
export function render(body: string, attributes: Attributes): string {
  return body
    .replace(/\{([A-Za-z0-9_.-]+)\}/g, (_, name: string) => {
      const value = Object.hasOwn(attributes, name) ? attributes[name] : null;
      return value === null || value === undefined ? "" : String(value);
    })
    .toWellFormed()
    .normalize("NFC");
}

/** How many SMS a text is. */
export function count(text: string): Counted {
  if (isShort(text)) return ONE;
  const letters = [...text];
  const isGsm = letters.every((letter) => GSM.includes(letter) || GSM_EXTENSION.includes(letter));
  const weights = letters.map((letter) => (isGsm ? (GSM_EXTENSION.includes(letter) ? 2 : 1) : letter.length));
  const [single, part] = isGsm ? [160, 153] : [70, 67];
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return { encoding: isGsm ? "GSM7" : "UCS2", segments: whole <= single ? 1 : partsOf(weights, part) };
}

const ONE: Counted = { encoding: "GSM7", segments: 1 };

/** Plain letters, as most texts are, and few of them: counted without taking the text apart. */
function isShort(text: string): boolean {
  return text.length <= 160 && /^[A-Za-z0-9 .,:;!?'()éèà-]*$/.test(text);
}

function partsOf(weights: readonly number[], room: number): number {
  let parts = 1;
  let used = 0;
  for (const weight of weights) {
    if (used + weight > room) {
      parts += 1;
      used = 0;
    }
    used += weight;
  }
  return parts;
}
