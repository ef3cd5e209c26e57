/**
 * Whose text a submit_sm carries: the accepted recipient with this number, this sender and these words. Recipients who share all
 * three are one group, since no wire tells them apart.
 */
import { alphabetsOf } from "./connections.ts";
import type { ExpectedBatch, ExpectedMessage } from "./expected.ts";
import type { History } from "./history.ts";
import { TLV } from "./pdu.ts";
import { type DefaultAlphabet, partsOf, type ShortText, shortTextOf } from "./short-text.ts";
import type { Submit } from "./wire-submits.ts";
import { wiresOf } from "./wires.ts";

/** Messages that look the same on the wire; nearly always one. */
export type Group = {
  readonly messages: readonly Joined[];
  readonly segments: number;
  /** Every submit that carried some of the text, in order. */
  readonly carried: readonly Carried[];
};

export type Joined = { readonly message: ExpectedMessage; readonly batch: ExpectedBatch };

export type Carried = {
  readonly submit: Submit;
  /** Which parts of the text, from 1. */
  readonly parts: readonly number[];
};

export type Joins = {
  readonly groups: readonly Group[];
  readonly groupOf: ReadonlyMap<Submit, Group>;
  /** Submits that carry what nobody ordered, with what a handset would show. */
  readonly strangers: readonly { readonly submit: Submit; readonly shows: ShortText }[];
};

const known = new WeakMap<History, Joins>();

/** The joins of a history, made once. */
export function joinsOf(history: History): Joins {
  const found = known.get(history) ?? makeJoins(history);
  known.set(history, found);
  return found;
}

type OpenGroup = Group & {
  readonly messages: Joined[];
  readonly carried: Carried[];
  readonly text: string;
  /** As the bill cuts it. */
  readonly cut: readonly string[];
};

function makeJoins(history: History): Joins {
  const { groups, byAddress } = groupsOf(history);
  const groupOf = new Map<Submit, Group>();
  const strangers: Joins["strangers"][number][] = [];
  const alphabets = new Map<string, readonly DefaultAlphabet[]>();
  const byReference: ByReference = new Map();
  for (const submit of wiresOf(history).submits) {
    const possible = alphabets.get(submit.centre) ?? alphabetsOf(history, submit.centre);
    alphabets.set(submit.centre, possible);
    const { found, shows } = readBy(submit, possible, byAddress, byReference);
    if (found === null) {
      strangers.push({ submit, shows });
      continue;
    }
    found.group.carried.push({ submit, parts: found.parts });
    groupOf.set(submit, found.group);
  }
  return { groups, groupOf, strangers };
}

/** Whose text has a reference on its way to a number: the last that a part told which no other text has. */
type ByReference = Map<string, OpenGroup>;

type Found = { readonly group: OpenGroup; readonly parts: readonly number[] };

/** Groups by number and sender, in the order of their first messages. */
type Index = ReadonlyMap<string, readonly OpenGroup[]>;

/** Whose text it is in the first alphabet in which it is anybody's. */
function readBy(
  { text }: Submit,
  alphabets: readonly DefaultAlphabet[],
  byAddress: Index,
  byReference: ByReference,
): { readonly found: Found | null; readonly shows: ShortText } {
  const address = addressOf(text.destination, text.source);
  const there = byAddress.get(address) ?? [];
  const readings = alphabets.map((alphabet) => {
    const shows = shortTextOf(text, alphabet);
    const found =
      shows.fault === null ? (asCut(there, shows, address, byReference) ?? fitting(there, shows)) : null;
    return { found, shows };
  });
  const [usual] = readings;
  const known = readings.find(({ found }) => found !== null);
  if (known || !usual) return known ?? { found: null, shows: shortTextOf(text, "gsm") };
  const isRest = text.dataCoding === UCS2 && text.tlvs.has(TLV.messagePayload) && hasOtherThanGsm(alphabets);
  return { ...usual, found: isRest ? asRest(there, usual.shows.characters) : null };
}

const UCS2 = 8;

function hasOtherThanGsm(alphabets: readonly DefaultAlphabet[]): boolean {
  return alphabets.some((alphabet) => alphabet !== "gsm");
}

/** The SMS that a message is, or may go on as. */
function asSms(message: ExpectedMessage): readonly ExpectedMessage[] {
  return message.channel === "SMS" ? [message] : message.second === null ? [] : [message.second];
}

function groupsOf(history: History): { readonly groups: readonly OpenGroup[]; readonly byAddress: Index } {
  const groups: OpenGroup[] = [];
  const byAddress = new Map<string, OpenGroup[]>();
  for (const batch of history.batches) {
    for (const message of batch.messages.flatMap(asSms)) {
      const { segments, text } = message;
      const address = addressOf(message.msisdn, message.sender);
      const there = byAddress.get(address) ?? [];
      if (there.length === 0) byAddress.set(address, there);
      const known = there.find((group) => group.text === text);
      if (known) {
        known.messages.push({ message, batch });
        continue;
      }
      const { parts } = partsOf(text);
      const [first] = parts;
      // A text that is sent whole is held once.
      const cut = parts.length === 1 && first === text ? [text] : parts;
      const group = { messages: [{ message, batch }], carried: [], segments, text, cut };
      groups.push(group);
      there.push(group);
    }
  }
  return { groups, byAddress };
}

/**
 * A part as the bill cuts it, or the whole. Of several texts that have such a part it is of the one whose other parts bore its reference,
 * else of the last.
 */
function asCut(
  groups: readonly OpenGroup[],
  { place, characters }: ShortText,
  address: string,
  byReference: ByReference,
): Found | null {
  const { total, number, reference } = place;
  const possible = groups.filter(
    ({ cut, text }) =>
      (total === cut.length && cut[number - 1] === characters) || (total === 1 && text === characters),
  );
  const name = `${address} ${reference}`;
  const [only] = possible;
  if (only && possible.length === 1 && reference !== null) byReference.set(name, only);
  const named = byReference.get(name);
  const group = named && possible.includes(named) ? named : possible.at(-1);
  if (!group) return null;
  const isWhole = total === 1 && number === 1;
  return { group, parts: isWhole ? group.cut.map((_, index) => index + 1) : [number] };
}

const MAX_OF_A_REST = 8;

/** What is left of a text, by a connection whose alphabet lacks a character of it: as UCS-2 it is too long for a part. */
function asRest(groups: readonly OpenGroup[], characters: string): Found | null {
  for (const group of groups.toReversed()) {
    const { cut } = group;
    for (let from = cut.length - 1; from >= 0; from--) {
      for (let end = Math.min(cut.length, from + MAX_OF_A_REST); end > from; end--) {
        if (cut.slice(from, end).join("") !== characters) continue;
        return { group, parts: Array.from({ length: end - from }, (_, index) => from + index + 1) };
      }
    }
  }
  return null;
}

function addressOf(number: string, sender: string): string {
  const bare = (one: string) => one.replace(/^\+/, "");
  return `${bare(number)} ${bare(sender)}`;
}

/** A part that was cut in another place than the bill's, as a centre with an alphabet of its own may need. */
function fitting(groups: readonly OpenGroup[], { place, characters }: ShortText): Found | null {
  if (place.total === 1 || characters === "") return null;
  const found = groups.filter(({ text, segments }) => place.total <= segments && text.includes(characters));
  const [group] = found;
  return group && found.length === 1 ? { group, parts: [place.number] } : null;
}

/** The group's submits that carried one part. */
export function carrying(group: Group, part: number): readonly Submit[] {
  return group.carried.flatMap(({ submit, parts }) => (parts.includes(part) ? [submit] : []));
}
