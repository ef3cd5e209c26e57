/** The templates of WhatsApp numbers: syncing them from Meta, listing and releasing them. */
import { Type as t } from "typebox";
import {
  readStoppedTexts,
  releaseDirect,
  releaseTemplate,
  toPriceFault,
} from "../../channels/whatsapp/category-prices.ts";
import { readSyncStates, readTemplates, type TemplateRecord } from "../../channels/whatsapp/template-rows.ts";
import { type Config, toWhatsAppNumber, toWhatsAppOperator } from "../../config/config.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation, type Parameter, type ValueOf } from "./operation.ts";
import { text, word } from "./parameters.ts";
import { done, refuse, serverNotRunning } from "./refusal.ts";

/** Lists every known template of the configured numbers, without asking Meta. */
export function whatsappTemplates({ store: { read }, config }: AdminContext) {
  const accounts = new Map<string, string[]>();
  for (const [code, { waba_id }] of Object.entries(config.whatsapp.numbers)) {
    accounts.set(waba_id, [...(accounts.get(waba_id) ?? []), `whatsapp:${code}`]);
  }
  return done({
    templates: [...accounts].flatMap(([wabaId, operators]) =>
      readTemplates(read, wabaId).map((template) => templateView(template, operators)),
    ),
    /** Text without a template that waits for `whatsapp release`, by the operator code of its number. */
    stopped_texts: readStoppedTexts(read).map(({ operator, messageClass, pricedAs, sinceMs }) => ({
      operator,
      message_class: messageClass,
      why: toPriceFault(pricedAs),
      since: isoUtc(sinceMs),
    })),
    /** The result of the last sync of each account's templates. */
    syncs: readSyncStates(read)
      .filter(({ wabaId }) => accounts.has(wabaId))
      .map(({ wabaId, triedMs, syncedMs, error }) => ({
        waba_id: wabaId,
        tried_at: isoUtc(triedMs),
        synced_at: isoOrNull(syncedMs),
        error,
      })),
  });
}

function templateView(template: TemplateRecord, operators: readonly string[]) {
  const { name, language, status, category, body, parameters, quality, whyNot } = template;
  return {
    waba_id: template.wabaId,
    /** The operator codes of the numbers that send it. */
    operators: operators.join(", "),
    name,
    language,
    status,
    category,
    body,
    parameters,
    parameter_format: template.format,
    quality,
    is_usable: whyNot === null,
    why_not: whyNot,
    /** The category that Meta announced for it, and from when; both null where none was announced. */
    moves_to: template.movesTo,
    moves_at: isoOrNull(template.movesAtMs),
    /** It waits for `whatsapp release`. */
    waits_for_release: template.isPriceStopped,
    synced_at: isoUtc(template.syncedMs),
  };
}

/** Has the running server sync them from Meta now, and lists the result. */
export async function whatsappSync(context: AdminContext) {
  const { server, store, config } = context;
  if (!server) return serverNotRunning(store.directory);
  if (Object.keys(config.whatsapp.numbers).length === 0) {
    return refuse("NOTHING_TO_CHANGE.no_numbers");
  }
  await server.syncTemplates();
  return whatsappTemplates(context);
}

/** The second word of the verb. */
const LIST: Parameter<"list", false> = {
  schema: t.Literal("list"),
  typed: {
    word: "list",
    value: "list",
    read: (typed) => (typed === "list" ? done(typed) : refuse("COMMAND_UNKNOWN.templates")),
  },
};

/** What both commands answer. */
export type TemplatesView = ValueOf<(typeof WHATSAPP_OPERATIONS)["whatsapp template"]>;

export const WHATSAPP_OPERATIONS = {
  "whatsapp sync": operation({
    needsServer: true,
    params: {},
    run: whatsappSync,
  }),
  "whatsapp template": operation({
    does: "reads",
    params: { list: LIST },
    run: whatsappTemplates,
  }),
  /**
   * Releases a template that was stopped for Meta's pricing, or text without a template of one class, by the operator code of its
   * number; messages that it held go on.
   */
  "whatsapp release": operation({
    may: "operators.change",
    params: { name: word("NAME", text("NAME", 512)), language: word("LANGUAGE", text("LANGUAGE", 32)) },
    run: (context, { name, language }) =>
      change(context, (tx, atMs) => {
        const isReleased =
          toWhatsAppNumber(name) === null
            ? releaseTemplate(tx, name, language, atMs) > 0
            : releaseDirect(tx, name, language, atMs);
        if (!isReleased) return refuse("NOTHING_TO_CHANGE.not_stopped", { name, language });
        const detail = { language };
        return done({
          value: { template: name, language },
          audit: { action: "whatsapp release", subject: name, detail },
        });
      }),
  }),
};

// Templates that Meta goes on trying with after their statuses are not waited for any more (docs/behaviour.md#statuses-of-whatsapp).

export type TemplateWarning = {
  readonly code: "TEMPLATES_OUTLIVE_RECEIPTS";
  readonly operator: string;
  readonly messages: null;
  readonly detail: Phrase;
};

const HOUR_SECONDS = 3600;

/** One warning for each number with such templates; templates whose lifetime Meta does not tell are left out. */
export function findTemplateWarnings(
  read: Reader,
  { whatsapp }: Pick<Config, "whatsapp">,
): TemplateWarning[] {
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
