/** Writes down what users say to numbers: texts with their opt-outs, and what they said of marketing in WhatsApp itself. */

import type { Settings } from "../../config/in-force.ts";
import { operatorOfNumber } from "../../config/whatsapp-codes.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/write.ts";
import { type InboundOutcome, type ToldText, takeTold } from "../../domain/inbound/inbound.ts";
import { nameOfUser, numbersOfUser } from "./known-users.ts";
import { obeyPreference } from "./obey-preference.ts";
import { notePreference } from "./preferences.ts";
import type { CloudChange } from "./statuses.ts";
import { preferencesIn, textsIn, type UserText } from "./told-by-users.ts";
import { fieldsOf, listOf } from "./told-json.ts";
import { numbersWritten, type UserWindows } from "./user-windows.ts";

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
      const known = ours.flatMap(({ told, by }) => (by === null ? [] : [{ told, by }]));
      const unknown = read.reduce((sum, one) => sum + one.unknown, 0) + ours.length - known.length;
      const nowMs = clock.nowMs();
      const keep = (tx: Tx): KeptText[] =>
        known.map(({ told, by }) => {
          const text = toldText(tx, told, by);
          return { told, text, outcome: takeTold(tx, text, nowMs) };
        });
      const kept = known.length === 0 ? [] : await store.write(keep);
      const unheeded = kept.filter(({ outcome }) => outcome.isUnheeded === true);
      for (const { text } of unheeded) log.warn(UNHEEDED, { operator: text.operator });
      const again = kept.filter(({ outcome }) => outcome.kind !== "kept").map(({ told }) => told);
      for (const [phoneNumberId, messages] of countedIn(changes, again)) cameIn(phoneNumberId, messages);
      for (const { text, told, outcome } of kept) {
        if (outcome.kind !== "kept" || text.msisdn === null) continue;
        const atMs = Math.min(nowMs, told.atMs ?? nowMs);
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
        for (const told of read.flatMap(({ parts }) => parts)) {
          const operator = operatorAt(told.phoneNumberId);
          const { from, userId, isStop } = told;
          const saidAtMs = told.saidAtMs ?? nowMs;
          if (operator === null) {
            unknown += 1;
            continue;
          }
          const numbers = numbersOfUser(tx, operator, { from, userId, answers: null });
          for (const msisdn of numbers) obeyPreference(tx, { operator, msisdn, isStop, saidAtMs }, nowMs);
          if (numbers.length === 0) {
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

/** What became of a text. */
type KeptText = { readonly told: UserText; readonly text: ToldText; readonly outcome: InboundOutcome };

/** A text as the room of inbound texts takes it. The source is what Meta calls the user, which may be no number that anybody writes to. */
function toldText(tx: Tx, told: UserText, operator: string): ToldText {
  const { id, from, userId, shownNumber, phoneNumberId, text, choiceId } = told;
  const digits = shownNumber?.replaceAll(/\D/g, "") ?? "";
  const [msisdn = null, ...others] = numbersOfUser(tx, operator, told);
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
