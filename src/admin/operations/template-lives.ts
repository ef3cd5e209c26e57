/** Templates that Meta goes on trying with after their statuses are not waited for any more (docs/behaviour.md#statuses-of-whatsapp). */

import { readTemplates } from "../../channels/whatsapp/template-rows.ts";
import type { Config } from "../../config/config.ts";
import { toWhatsAppOperator } from "../../config/whatsapp-codes.ts";
import type { Reader } from "../../db/read.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

export type TemplateWarning = {
  readonly code: "TEMPLATES_OUTLIVE_RECEIPTS";
  readonly operator: string;
  readonly messages: null;
  readonly detail: Phrase;
};

const HOUR_SECONDS = 3600;

/** One warning for each number with such templates. Of those whose life Meta does not tell nothing is said. */
export function findTemplateWarnings(read: Reader, { whatsapp }: Pick<Config, "whatsapp">): TemplateWarning[] {
  const waitedHours = whatsapp.receipt_timeout_hours;
  return Object.entries(whatsapp.numbers).flatMap(([code, { waba_id }]): TemplateWarning[] => {
    const lives = readTemplates(read, waba_id)
      .filter(({ whyNot }) => whyNot === null)
      .map(({ ttlSeconds }) => ttlSeconds ?? 0)
      .filter((seconds) => seconds > waitedHours * HOUR_SECONDS);
    if (lives.length === 0) return [];
    const operator = toWhatsAppOperator(code);
    const longest = Math.ceil(Math.max(...lives) / HOUR_SECONDS);
    const detail = phrase("config.warning.templates_outlive", {
      hours: longest,
      templates: lives.length,
      operator,
      waited: waitedHours,
    });
    return [{ code: "TEMPLATES_OUTLIVE_RECEIPTS", operator, messages: null, detail }];
  });
}
