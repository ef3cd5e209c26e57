/** Templates that Meta goes on trying with after their statuses are not waited for any more (docs/behaviour.md#statuses-of-whatsapp). */
import type { Config } from "../config/config.ts";
import { operatorOfNumber } from "../config/whatsapp-codes.ts";
import type { Reader } from "../store/read.ts";
import { templatesOf } from "../whatsapp/template-rows.ts";

export type LifeWarning = {
  readonly code: "TEMPLATES_OUTLIVE_RECEIPTS";
  readonly operator: string;
  readonly messages: null;
  readonly detail: string;
};

const HOUR_SECONDS = 3600;

/** One warning for each number with such templates. Of those whose life Meta does not tell nothing is said. */
export function lifeWarnings(read: Reader, { whatsapp }: Pick<Config, "whatsapp">): LifeWarning[] {
  const waitedHours = whatsapp.receipt_timeout_hours;
  return Object.entries(whatsapp.numbers).flatMap(([code, { waba_id }]): LifeWarning[] => {
    const lives = templatesOf(read, waba_id)
      .filter(({ whyNot }) => whyNot === null)
      .map(({ ttlSeconds }) => ttlSeconds ?? 0)
      .filter((seconds) => seconds > waitedHours * HOUR_SECONDS);
    if (lives.length === 0) return [];
    const operator = operatorOfNumber(code);
    const longest = Math.ceil(Math.max(...lives) / HOUR_SECONDS);
    const detail = `Meta tries for up to ${longest} hours with ${lives.length} template(s) of ${operator}, and receipt_timeout_hours is ${waitedHours}: what is delivered later is not charged`;
    return [{ code: "TEMPLATES_OUTLIVE_RECEIPTS", operator, messages: null, detail }];
  });
}
