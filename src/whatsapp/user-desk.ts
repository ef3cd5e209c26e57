/** Writes down what users say to numbers: texts with their opt-outs, and what they said of marketing in WhatsApp itself. */
import type { Clock } from "../base/clock.ts";
import type { Settings } from "../config/in-force.ts";
import { operatorOfNumber } from "../config/whatsapp-codes.ts";
import { type ToldText, takeTold } from "../inbound/inbound.ts";
import { applyToldOptOut, liftToldOptOut } from "../inbound/opt-out.ts";
import { recipientOf } from "../messages/part-lookup.ts";
import type { Reader } from "../store/read.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { postOf } from "./posts.ts";
import { notePreference, stoppedElsewhere } from "./preferences.ts";
import type { CloudChange } from "./statuses.ts";
import { preferencesIn, textsIn, type UserText } from "./told-by-users.ts";
import { fieldsOf, listOf } from "./told-json.ts";
import type { UserWindows } from "./user-windows.ts";

export type UserDeskDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
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

export function userDesk({ settings, store, clock, wrote, cameIn }: UserDeskDeps): UserDesk {
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
      const keep = (tx: Tx): boolean[] => known.map(({ text }) => takeTold(tx, text, nowMs).kind === "kept");
      const isNew = known.length === 0 ? [] : await store.write(keep);
      const again = known.filter((_, index) => isNew[index] === false).map(({ told }) => told);
      for (const [phoneNumberId, messages] of countedIn(changes, again)) cameIn(phoneNumberId, messages);
      for (const { text, told } of known.filter((_, index) => isNew[index] === true)) {
        if (text.msisdn !== null) wrote(text.operator, text.msisdn, Math.min(nowMs, told.atMs ?? nowMs));
      }
      return unknown;
    },
    takePreferences: async (changes) => {
      const read = changes.map(preferencesIn);
      let unknown = read.reduce((sum, one) => sum + one.unknown, 0);
      await store.write((tx) => {
        const nowMs = clock.nowMs();
        for (const { phoneNumberId, from, isStop, saidAtMs } of read.flatMap(({ parts }) => parts)) {
          const operator = operatorAt(phoneNumberId);
          const msisdn = `+${from}`;
          if (operator === null) unknown += 1;
          else if (!notePreference(tx, { operator, msisdn, isStop, saidAtMs: saidAtMs ?? nowMs })) continue;
          else if (isStop) applyToldOptOut(tx, { operator, msisdn, source: "META", word: null }, nowMs);
          else {
            const stoppedAt = stoppedElsewhere(tx, { operator, msisdn });
            liftToldOptOut(tx, { operator, msisdn, stoppedAt }, nowMs);
          }
        }
      });
      return unknown;
    },
  };
}

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

/** A user who shows no number is known by the post that was answered. */
function toldText(read: Reader, told: UserText, operator: string): ToldText {
  const { id, from, userId, answers, shownNumber, phoneNumberId, text, choiceId } = told;
  const answered = from === null && answers !== null ? postOf(read, answers) : null;
  const msisdn = from !== null ? `+${from}` : answered && recipientOf(read, answered.messageId);
  const digits = shownNumber?.replaceAll(/\D/g, "") ?? "";
  return {
    ...{ operator, id, msisdn, text, choiceId },
    source: from !== null ? `+${from}` : (userId ?? ""),
    destination: digits === "" ? phoneNumberId : `+${digits}`,
  };
}
