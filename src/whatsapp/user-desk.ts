/** Writes down what users say to numbers: texts with their opt-outs, and what they said of marketing in WhatsApp itself. */
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Settings } from "../config/in-force.ts";
import { operatorOfNumber } from "../config/whatsapp-codes.ts";
import { type InboundOutcome, type ToldText, takeTold } from "../inbound/inbound.ts";
import { recipientOf } from "../messages/part-lookup.ts";
import type { Reader } from "../store/read.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { obeyPreference } from "./obey-preference.ts";
import { postOf } from "./posts.ts";
import { notePreference } from "./preferences.ts";
import type { CloudChange } from "./statuses.ts";
import { preferencesIn, textsIn, type UserText } from "./told-by-users.ts";
import { fieldsOf, listOf } from "./told-json.ts";
import type { UserWindows } from "./user-windows.ts";
import { nameOfUser, numberOfUser } from "./users-without-number.ts";

export type UserDeskDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  /** A user wrote to a number, and that is durable. */
  readonly wrote: UserWindows["wrote"];
  /** Messages came in by a number, which Meta counts with those that go out. */
  readonly cameIn: (phoneNumberId: string, messages: number) => void;
};

/** Both resolve once everything is durable, with how many parts were not understood. */
export type UserDesk = {
  readonly takeTexts: (changes: readonly CloudChange[]) => Promise<number>;
  readonly takePreferences: (changes: readonly CloudChange[]) => Promise<number>;
};

export function userDesk({ settings, store, clock, log, wrote, cameIn }: UserDeskDeps): UserDesk {
  /** The operator code of a number of the configuration; null for another's. */
  const operatorAt = (phoneNumberId: string): string | null => {
    const found = Object.entries(settings.now().whatsapp.numbers).find(
      ([, { phone_number_id: id }]) => id === phoneNumberId,
    );
    return found === undefined ? null : operatorOfNumber(found[0]);
  };
  return {
    takeTexts: async (changes) => {
      const read = changes.map(textsIn);
      const ours = read
        .flatMap(({ parts }) => parts)
        .map((told) => ({ told, by: operatorAt(told.phoneNumberId) }));
      const known = ours.flatMap(({ told, by }) =>
        by === null ? [] : [{ text: toldText(store.read, told, by), told }],
      );
      const unknown = read.reduce((sum, one) => sum + one.unknown, 0) + ours.length - known.length;
      const nowMs = clock.nowMs();
      const keep = (tx: Tx): InboundOutcome[] => known.map(({ text }) => takeTold(tx, text, nowMs));
      const outcomes = known.length === 0 ? [] : await store.write(keep);
      const isNew = outcomes.map(({ kind }) => kind === "kept");
      const unheeded = known.filter((_, index) => outcomes[index]?.isUnheeded === true);
      for (const { text } of unheeded) log.warn(UNHEEDED, { operator: text.operator });
      const again = known.filter((_, index) => isNew[index] === false).map(({ told }) => told);
      for (const [phoneNumberId, messages] of countedIn(changes, again)) cameIn(phoneNumberId, messages);
      for (const { text, told } of known.filter((_, index) => isNew[index] === true)) {
        if (text.msisdn !== null) wrote(text.operator, text.msisdn, Math.min(nowMs, told.atMs ?? nowMs));
      }
      return unknown + unheeded.length;
    },
    takePreferences: async (changes) => {
      const read = changes.map(preferencesIn);
      let unknown = read.reduce((sum, one) => sum + one.unknown, 0);
      const unheeded: string[] = [];
      await store.write((tx) => {
        const nowMs = clock.nowMs();
        for (const told of read.flatMap(({ parts }) => parts)) {
          const operator = operatorAt(told.phoneNumberId);
          const { from, userId, isStop } = told;
          const saidAtMs = told.saidAtMs ?? nowMs;
          const msisdn = from === null ? numberOfUser(tx, userId ?? "") : `+${from}`;
          if (operator === null) unknown += 1;
          else if (msisdn !== null) obeyPreference(tx, { operator, msisdn, isStop, saidAtMs }, nowMs);
          else {
            unknown += 1;
            const isNews = notePreference(tx, {
              operator,
              msisdn: nameOfUser(userId ?? ""),
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

/** How many messages came in by each number, without texts that were told before. */
function countedIn(changes: readonly CloudChange[], again: readonly UserText[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (phoneNumberId: string, messages: number): void => {
    counts.set(phoneNumberId, (counts.get(phoneNumberId) ?? 0) + messages);
  };
  for (const { value } of changes) {
    const { phone_number_id: id } = fieldsOf(value.metadata);
    if (typeof id === "string") add(id, listOf(value.messages).length);
  }
  for (const { phoneNumberId } of again) add(phoneNumberId, -1);
  return counts;
}

/** A user who shows no number is known by the post that was answered, else by those that reached the same user. */
function toldText(read: Reader, told: UserText, operator: string): ToldText {
  const { id, from, userId, shownNumber, phoneNumberId, text, choiceId } = told;
  const digits = shownNumber?.replaceAll(/\D/g, "") ?? "";
  return {
    ...{ operator, id, text, choiceId, msisdn: from !== null ? `+${from}` : numberBehind(read, told) },
    source: from !== null ? `+${from}` : (userId ?? ""),
    destination: digits === "" ? phoneNumberId : `+${digits}`,
  };
}

function numberBehind(read: Reader, { userId, answers }: UserText): string | null {
  const answered = answers === null ? null : postOf(read, answers);
  if (answered !== null) return recipientOf(read, answered.messageId);
  return userId === null ? null : numberOfUser(read, userId);
}
