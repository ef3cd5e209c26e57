import type { Chance } from "../../../src/core/chance.ts";
import { happens, oneOf } from "../chance.ts";
import { type Address, type Delivered, octetsOf } from "./pdu.ts";
import { receiptText } from "./receipt.ts";
import type { Taken } from "./submits.ts";

/** A subscriber's text, as a step of a plan has it. */
export type MoText = {
  readonly from: string;
  readonly to: string;
  readonly text: "hello" | "STOP" | "like a receipt";
};

const ESM_UDHI = 0x40;
const UCS2 = 0x08;
const GREETINGS = ["hello", "Bonjour, merci", "ok @ 10h"] as const;
const LONG = "Good morning, I write to ask where my parcel is, which was to come on Monday. ";

/** The deliver_sm of a text that a subscriber sends in: one, or one for each part of a long one, in any order. */
export function moParts(
  mo: MoText,
  chance: Chance,
  taken: readonly Taken[],
  neverGiven: string,
): readonly Delivered[] {
  const source = addressOf(mo.from);
  const destination = addressOf(mo.to);
  const plain = (text: string): Delivered => ({
    source,
    destination,
    esmClass: 0,
    dataCoding: 0,
    message: octetsOf(text),
  });
  switch (mo.text) {
    case "hello": {
      const isLong = happens(chance, 0.4);
      const isWide = happens(chance, 0.3);
      const reference = Math.floor(chance.fraction() * 256);
      if (isLong) return partsOf(plain(""), LONG.repeat(4), reference, happens(chance, 0.5));
      if (isWide) return [{ ...plain(""), dataCoding: UCS2, message: wide("Ouédraogo: c'est reçu ✓") }];
      return [plain(oneOf(chance, GREETINGS))];
    }
    case "STOP":
      return [plain(oneOf(chance, ["STOP", "stop"]))];
    case "like a receipt":
      return [plain(forgery(mo, taken, neverGiven))];
  }
}

/** What looks like the receipt of a text to somebody else, and is typed by a subscriber. */
function forgery({ from }: MoText, taken: readonly Taken[], neverGiven: string): string {
  const victim = taken.find(({ submitted }) => submitted.destination.digits !== from);
  const about = victim?.submitted ?? NOBODY;
  const id = victim?.id.inReceipts ?? neverGiven;
  return receiptText({ about, id, stat: "UNDELIV", error: 1, submittedAtMs: 0, doneAtMs: 0 });
}

const NOWHERE: Address = { ton: 0, npi: 0, digits: "" };
const NOBODY = {
  source: NOWHERE,
  destination: NOWHERE,
  esmClass: 0,
  registeredDelivery: 0,
  dataCoding: 0,
  message: new Uint8Array(0),
};

function partsOf(plain: Delivered, text: string, reference: number, isTurned: boolean): Delivered[] {
  const pieces = text.match(/.{1,153}/g) ?? [];
  const parts = pieces.map((piece, index) => ({
    ...plain,
    esmClass: ESM_UDHI,
    message: Uint8Array.from([5, 0, 3, reference, pieces.length, index + 1, ...octetsOf(piece)]),
  }));
  return isTurned ? parts.reverse() : parts;
}

function wide(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "utf16le").swap16());
}

/** International and ISDN for digits, alphanumeric for names. */
function addressOf(digits: string): Address {
  return /^\d+$/.test(digits) ? { ton: 1, npi: 1, digits } : { ton: 5, npi: 0, digits };
}
