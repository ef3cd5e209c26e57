/** Writes down what users send to numbers: texts with their opt-outs, and their preferences for marketing in WhatsApp itself. */

import { toWhatsAppOperator } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import {
  type IdentifiedInbound,
  type InboundOutcome,
  receiveIdentified,
} from "../../domain/inbound/inbound.ts";
import { type Fields, readFields, readList, readTime, readWaId } from "./cloud-api.ts";
import type { CloudChange } from "./post-facts.ts";
import {
  applyPreference,
  notePreference,
  numbersWritten,
  readUserName,
  readUserNumbers,
  type ServiceWindows,
} from "./users.ts";

type UserEventHandlerDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  /** A user wrote to a number, and that is durable. */
  readonly wrote: ServiceWindows["wrote"];
  /** Messages came in by a number, which Meta counts with those that go out. */
  readonly cameIn: (phoneNumberId: string, messages: number) => void;
};

/** Handlers of users' events. Both resolve once everything is durable, with how many parts were not understood. */
type UserEventHandler = {
  readonly takeTexts: (changes: readonly CloudChange[]) => Promise<number>;
  readonly takePreferences: (changes: readonly CloudChange[]) => Promise<number>;
};

export function createUserEventHandler({
  settings,
  store,
  clock,
  log,
  wrote,
  cameIn,
}: UserEventHandlerDeps): UserEventHandler {
  /** The operator code of a number of the configuration; null for any other. */
  const operatorAt = (phoneNumberId: string): string | null => {
    const found = Object.entries(settings.now().whatsapp.numbers).find(
      ([, { phone_number_id: id }]) => id === phoneNumberId,
    );
    return found === undefined ? null : toWhatsAppOperator(found[0]);
  };
  return {
    takeTexts: async (changes) => {
      const read = changes.map(textsIn);
      const ours = read
        .flatMap(({ parts }) => parts)
        .map((received) => ({ received, by: operatorAt(received.phoneNumberId) }));
      const known = ours.flatMap(({ received, by }) => (by === null ? [] : [{ received, by }]));
      const unknown = read.reduce((sum, one) => sum + one.unknown, 0) + ours.length - known.length;
      const nowMs = clock.nowMs();
      const keep = (tx: Tx): KeptText[] =>
        known.map(({ received, by }) => {
          const text = toInboundText(tx, received, by);
          return { received, text, outcome: receiveIdentified(tx, text, nowMs) };
        });
      const kept = known.length === 0 ? [] : await store.write(keep);
      const unheeded = kept.filter(({ outcome }) => outcome.isUnheeded === true);
      for (const { text } of unheeded) log.warn(UNHEEDED, { operator: text.operator });
      const again = kept.filter(({ outcome }) => outcome.kind !== "kept").map(({ received }) => received);
      for (const [phoneNumberId, messages] of countedIn(changes, again)) cameIn(phoneNumberId, messages);
      for (const { text, received, outcome } of kept) {
        if (outcome.kind !== "kept" || text.msisdn === null) continue;
        const atMs = Math.min(nowMs, received.atMs ?? nowMs);
        const numbers = numbersWritten(text.source, [text.msisdn, ...text.others]);
        for (const msisdn of numbers) wrote(text.operator, msisdn, atMs);
      }
      return unknown + unheeded.length;
    },
    takePreferences: async (changes) => {
      const read = changes.map(preferencesIn);
      let unknown = read.reduce((sum, one) => sum + one.unknown, 0);
      const unheeded: string[] = [];
      await store.write((tx) => {
        const nowMs = clock.nowMs();
        for (const received of read.flatMap(({ parts }) => parts)) {
          const operator = operatorAt(received.phoneNumberId);
          const { from, userId, isStop } = received;
          const saidAtMs = received.saidAtMs ?? nowMs;
          if (operator === null) {
            unknown += 1;
            continue;
          }
          const numbers = readUserNumbers(tx, operator, { from, userId, answers: null });
          for (const msisdn of numbers) applyPreference(tx, { operator, msisdn, isStop, saidAtMs }, nowMs);
          if (numbers.length === 0) {
            unknown += 1;
            const isNews = notePreference(tx, {
              operator,
              msisdn: readUserName(userId ?? ""),
              isStop,
              saidAtMs,
            });
            if (isNews && isStop) unheeded.push(operator);
          }
        }
      });
      for (const operator of unheeded) log.warn(UNHEEDED, { operator });
      return unknown;
    },
  };
}

const UNHEEDED = "somebody stopped marketing whose number nobody knows yet";

/** How many messages came in by each number, without repeated texts. */
function countedIn(changes: readonly CloudChange[], again: readonly UserText[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (phoneNumberId: string, messages: number): void => {
    counts.set(phoneNumberId, (counts.get(phoneNumberId) ?? 0) + messages);
  };
  for (const { value } of changes) {
    const { phone_number_id: id } = readFields(value.metadata);
    if (typeof id === "string") add(id, readList(value.messages).length);
  }
  for (const { phoneNumberId } of again) add(phoneNumberId, -1);
  return counts;
}

/** What became of a text. */
type KeptText = {
  readonly received: UserText;
  readonly text: IdentifiedInbound;
  readonly outcome: InboundOutcome;
};

/** A text in the form of domain/inbound. The source is Meta's wa_id of the user, which may be no number that anybody writes to. */
function toInboundText(tx: Tx, received: UserText, operator: string): IdentifiedInbound {
  const { id, from, userId, shownNumber, phoneNumberId, text, choiceId } = received;
  const digits = shownNumber?.replaceAll(/\D/g, "") ?? "";
  const [msisdn = null, ...others] = readUserNumbers(tx, operator, received);
  return {
    operator,
    id,
    text,
    choiceId,
    msisdn,
    others,
    source: from !== null ? `+${from}` : (userId ?? ""),
    destination: digits === "" ? phoneNumberId : `+${digits}`,
  };
}

// Reads what users send to a number from Meta's calls, as far as it is understood. Pure.

/** A text that a user sent, or the text of what a user pressed or chose. */
type UserText = {
  readonly phoneNumberId: string;
  /** The number as people write it, where Meta tells it. */
  readonly shownNumber: string | null;
  readonly id: string;
  /** The wa_id of a user who shows a number, in digits: it need not be the number that is written to. Null for one who shows none. */
  readonly from: string | null;
  /** Meta's id of a user who shows no number. */
  readonly userId: string | null;
  /** The post that the user answered. */
  readonly answers: string | null;
  readonly text: string;
  /** The id that the maker of the button or the choice gave it; null for a text that the user wrote. */
  readonly choiceId: string | null;
  /** When it was sent, as Meta says; null where it does not. */
  readonly atMs: number | null;
};

/** What a user said of marketing in WhatsApp itself. */
type Preference = {
  readonly phoneNumberId: string;
  /** As in a text. */
  readonly from: string | null;
  readonly userId: string | null;
  readonly isStop: boolean;
  /** When it was said, as Meta tells; null where it does not. */
  readonly saidAtMs: number | null;
};

/** The parts of a change that were read, and how many were not understood. */
type Read<Part> = { readonly parts: readonly Part[]; readonly unknown: number };

const MAX_ID_LENGTH = 512;
const MAX_TEXT_LENGTH = 65_536;

/** The texts of a change; pictures, places and whatever else has no text are not understood. */
function textsIn({ value }: Pick<CloudChange, "value">): Read<UserText> {
  const number = numberOf(value);
  return readAll(value.messages, (item): UserText | null => {
    const fields = readFields(item);
    const id = wordOf(fields.id, MAX_ID_LENGTH);
    const said = saidIn(fields);
    // A choice may come without its title.
    const text = said.text ?? said.choiceId;
    const from = readWaId(fields.from);
    const userId = wordOf(fields.from_user_id, MAX_ID_LENGTH);
    if (number === null || id === null || text === null || (from === null && userId === null)) return null;
    return {
      ...number,
      id,
      from,
      userId,
      text,
      choiceId: said.choiceId,
      answers: wordOf(readFields(fields.context).id, MAX_ID_LENGTH),
      atMs: readTime(fields.timestamp),
    };
  });
}

/** The marketing preferences in a change. */
function preferencesIn({ value }: Pick<CloudChange, "value">): Read<Preference> {
  const number = numberOf(value);
  return readAll(value.user_preferences, (item): Preference | null => {
    const { wa_id, user_id, category, value: said, timestamp } = readFields(item);
    const [from, userId] = [readWaId(wa_id), wordOf(user_id, MAX_ID_LENGTH)];
    if (number === null || (from === null && userId === null) || category !== "marketing_messages")
      return null;
    if (said !== "stop" && said !== "resume") return null;
    const saidAtMs = readTime(timestamp);
    return { phoneNumberId: number.phoneNumberId, from, userId, isStop: said === "stop", saidAtMs };
  });
}

function readAll<Part>(items: unknown, read: (one: unknown) => Part | null): Read<Part> {
  const all = readList(items).map(read);
  const parts = all.filter((part) => part !== null);
  return { parts, unknown: all.length - parts.length };
}

function numberOf(value: Fields): Pick<UserText, "phoneNumberId" | "shownNumber"> | null {
  const { phone_number_id, display_phone_number } = readFields(value.metadata);
  const phoneNumberId = wordOf(phone_number_id, MAX_ID_LENGTH);
  return phoneNumberId === null ? null : { phoneNumberId, shownNumber: wordOf(display_phone_number, 64) };
}

/** The text of a message, or that of a button or a choice with its maker's id. */
function saidIn({
  type,
  text,
  button,
  interactive,
}: Fields): Pick<UserText, "choiceId"> & { text: string | null } {
  switch (type) {
    case "text":
      return { text: wordOf(readFields(text).body, MAX_TEXT_LENGTH), choiceId: null };
    case "button": {
      const { text: shown, payload } = readFields(button);
      return { text: wordOf(shown, MAX_TEXT_LENGTH), choiceId: wordOf(payload, MAX_ID_LENGTH) };
    }
    case "interactive": {
      const { button_reply, list_reply } = readFields(interactive);
      const { title, id } = readFields(button_reply ?? list_reply);
      return { text: wordOf(title, MAX_TEXT_LENGTH), choiceId: wordOf(id, MAX_ID_LENGTH) };
    }
    default:
      return { text: null, choiceId: null };
  }
}

function wordOf(value: unknown, longest: number): string | null {
  return typeof value === "string" && value !== "" && value.length <= longest ? value : null;
}
