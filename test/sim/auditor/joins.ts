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

type OpenGroup = Group & { readonly messages: Joined[]; readonly carried: Carried[]; readonly text: string };

function makeJoins(history: History): Joins {
  const groups = groupsOf(history);
  const byPart = new Map<string, Found>();
  const byAddress = new Map<string, OpenGroup[]>();
  for (const group of groups.values()) indexGroup(group, byPart, byAddress);
  const groupOf = new Map<Submit, Group>();
  const strangers: Joins["strangers"][number][] = [];
  const alphabets = new Map<string, readonly DefaultAlphabet[]>();
  for (const submit of wiresOf(history).submits) {
    const possible = alphabets.get(submit.centre) ?? alphabetsOf(history, submit.centre);
    alphabets.set(submit.centre, possible);
    const { found, shows } = readBy(submit, possible, { byPart, byAddress });
    if (found === null) {
      strangers.push({ submit, shows });
      continue;
    }
    found.group.carried.push({ submit, parts: found.parts });
    groupOf.set(submit, found.group);
  }
  return { groups: [...groups.values()], groupOf, strangers };
}

type Found = { readonly group: OpenGroup; readonly parts: readonly number[] };

type Index = {
  readonly byPart: ReadonlyMap<string, Found>;
  readonly byAddress: ReadonlyMap<string, readonly OpenGroup[]>;
};

/** Whose text it is in the first alphabet in which it is anybody's. */
function readBy(
  { text }: Submit,
  alphabets: readonly DefaultAlphabet[],
  { byPart, byAddress }: Index,
): { readonly found: Found | null; readonly shows: ShortText } {
  const address = addressOf(text.destination, text.source);
  const readings = alphabets.map((alphabet) => {
    const shows = shortTextOf(text, alphabet);
    const { total, number } = shows.place;
    const whole = byPart.get(partKey(address, total, number, shows.characters));
    const found = shows.fault === null ? (whole ?? fitting(byAddress.get(address) ?? [], shows)) : null;
    return { found, shows };
  });
  const [usual] = readings;
  const known = readings.find(({ found }) => found !== null);
  if (known || !usual) return known ?? { found: null, shows: shortTextOf(text, "gsm") };
  const isRest = text.dataCoding === UCS2 && text.tlvs.has(TLV.messagePayload) && hasOtherThanGsm(alphabets);
  const rest = isRest ? byPart.get(restKey(address, usual.shows.characters)) : undefined;
  return { ...usual, found: rest ?? null };
}

const UCS2 = 8;

function hasOtherThanGsm(alphabets: readonly DefaultAlphabet[]): boolean {
  return alphabets.some((alphabet) => alphabet !== "gsm");
}

function groupsOf(history: History): Map<string, OpenGroup> {
  const groups = new Map<string, OpenGroup>();
  for (const batch of history.batches) {
    for (const message of batch.messages) {
      const key = `${addressOf(message.msisdn, message.sender)} ${message.text}`;
      const { segments, text } = message;
      const group = groups.get(key) ?? { messages: [], carried: [], segments, text };
      group.messages.push({ message, batch });
      groups.set(key, group);
    }
  }
  return groups;
}

function indexGroup(group: OpenGroup, byPart: Map<string, Found>, byAddress: Map<string, OpenGroup[]>): void {
  const [first] = group.messages;
  if (!first) return;
  const { message } = first;
  const address = addressOf(message.msisdn, message.sender);
  const { parts } = partsOf(message.text);
  const all = parts.map((_, index) => index + 1);
  byPart.set(partKey(address, 1, 1, message.text), { group, parts: all });
  parts.forEach((part, index) => {
    byPart.set(partKey(address, parts.length, index + 1, part), { group, parts: [index + 1] });
    // What is left of a text, by a connection whose alphabet lacks a character of it: as UCS-2 it is too long for a part.
    for (let end = index + 1; end <= Math.min(parts.length, index + MOST_OF_A_REST); end++)
      byPart.set(restKey(address, parts.slice(index, end).join("")), { group, parts: all.slice(index, end) });
  });
  const there = byAddress.get(address) ?? [];
  there.push(group);
  byAddress.set(address, there);
}

const MOST_OF_A_REST = 8;

function restKey(address: string, characters: string): string {
  return `${address} rest ${characters}`;
}

function partKey(address: string, total: number, number: number, characters: string): string {
  return `${address} ${number}/${total} ${characters}`;
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
