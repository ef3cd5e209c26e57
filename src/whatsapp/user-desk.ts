/** Writes down what users say to numbers: texts with their opt-outs, and what they said of marketing in WhatsApp itself. */
import type { Clock } from "../base/clock.ts";
import type { Settings } from "../config/in-force.ts";
import { operatorOfNumber } from "../config/whatsapp-codes.ts";
import { type ToldText, takeTold } from "../inbound/inbound.ts";
import { applyToldOptOut, liftToldOptOut } from "../inbound/opt-out.ts";
import { recipientOf } from "../messages/part-lookup.ts";
import type { Reader } from "../store/read.ts";
import type { Store } from "../store/store.ts";
import { postOf } from "./posts.ts";
import type { CloudChange } from "./statuses.ts";
import { preferencesIn, textsIn, type UserText } from "./told-by-users.ts";
import type { UserWindows } from "./user-windows.ts";

export type UserDeskDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  /** A user wrote to a number, and that is durable. */
  readonly wrote: UserWindows["wrote"];
};

/** Both resolve once everything is durable, with how many parts were not understood. */
export type UserDesk = {
  readonly takeTexts: (changes: readonly CloudChange[]) => Promise<number>;
  readonly takePreferences: (changes: readonly CloudChange[]) => Promise<number>;
};

export function userDesk({ settings, store, clock, wrote }: UserDeskDeps): UserDesk {
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
        by === null ? [] : [{ text: toldText(store.read, told, by), saidAtMs: told.atMs }],
      );
      const unknown = read.reduce((sum, one) => sum + one.unknown, 0) + ours.length - known.length;
      if (known.length === 0) return unknown;
      const nowMs = clock.nowMs();
      const kept = await store.write((tx) =>
        known.filter(({ text }) => takeTold(tx, text, nowMs).kind === "kept"),
      );
      for (const { text, saidAtMs } of kept) {
        if (text.msisdn !== null) wrote(text.operator, text.msisdn, Math.min(nowMs, saidAtMs ?? nowMs));
      }
      return unknown;
    },
    takePreferences: async (changes) => {
      const read = changes.map(preferencesIn);
      let unknown = read.reduce((sum, one) => sum + one.unknown, 0);
      await store.write((tx) => {
        for (const { phoneNumberId, from, isStop } of read.flatMap(({ parts }) => parts)) {
          const operator = operatorAt(phoneNumberId);
          const msisdn = `+${from}`;
          if (operator === null) unknown += 1;
          else if (isStop)
            applyToldOptOut(tx, { operator, msisdn, source: "META", word: null }, clock.nowMs());
          else liftToldOptOut(tx, { operator, msisdn }, clock.nowMs());
        }
      });
      return unknown;
    },
  };
}

/** A user who shows no number is known by the post that was answered. */
function toldText(read: Reader, told: UserText, operator: string): ToldText {
  const { id, from, userId, answers, shownNumber, phoneNumberId, text } = told;
  const answered = from === null && answers !== null ? postOf(read, answers) : null;
  const msisdn = from !== null ? `+${from}` : answered && recipientOf(read, answered.messageId);
  const digits = shownNumber?.replaceAll(/\D/g, "") ?? "";
  return {
    ...{ operator, id, msisdn, text },
    source: from !== null ? `+${from}` : (userId ?? ""),
    destination: digits === "" ? phoneNumberId : `+${digits}`,
  };
}
