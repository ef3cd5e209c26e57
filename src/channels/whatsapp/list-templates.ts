/** Lists the templates that an account's senders may send, for `GET /templates` (docs/behaviour.md#templates-of-whatsapp). */

import { toWhatsAppOperator } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Store } from "../../db/store.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { listSenders } from "../../domain/accounts/senders.ts";
import { english } from "../../i18n/text.ts";
import { BUILT_IN_TEMPLATES, SANDBOX_NUMBER } from "./batch-preparation.ts";
import { readTemplates, type TemplateRecord } from "./template-rows.ts";

type ClientTemplate = {
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly body: string;
  readonly parameters: readonly string[];
  readonly parameter_format: string;
  readonly quality: string | null;
  /** The operator code of the number that sends it. */
  readonly number: string;
  readonly is_usable: boolean;
  readonly why_not: string | null;
  /** The category that Meta has announced for it, and from when on it has it; both null where it has not. */
  readonly moves_to: string | null;
  readonly moves_at: string | null;
  readonly synced_at: string;
  readonly is_sandbox: boolean;
};

type ListTemplates = (accountId: number) => readonly ClientTemplate[];

/**
 * Lists the templates of the numbers that an approved sender of an account is registered with, in the order of the
 * configuration, each by name and language. Nothing where there is no such number. A sandbox has all numbers, and the built-in
 * templates in the place of one without templates, or where there is none.
 */
export function createListTemplates(settings: Settings, { read }: Pick<Store, "read">): ListTemplates {
  const known = (accountId: number): ReadonlySet<string> =>
    new Set(
      listSenders(read, accountId)
        .filter(({ status }) => status === "APPROVED")
        .flatMap(({ operators }) => operators),
    );
  const ofNumbers = (isListed: (number: string) => boolean) =>
    Object.entries(settings.now().whatsapp.numbers).flatMap(([code, { waba_id }]) => {
      const number = toWhatsAppOperator(code);
      return isListed(number) ? [{ number, templates: readTemplates(read, waba_id) }] : [];
    });
  const inSandbox = (accountId: number) => {
    const syncedMs = accountById(read, accountId)?.createdAtMs ?? 0;
    const builtIn = BUILT_IN_TEMPLATES.map((template) => ({ ...template, syncedMs }));
    const numbers = ofNumbers(() => true);
    return numbers.length === 0
      ? [{ number: SANDBOX_NUMBER, templates: builtIn }]
      : numbers.map((one) => (one.templates.length === 0 ? { ...one, templates: builtIn } : one));
  };
  return (accountId) => {
    const registered = known(accountId);
    const pages = isSandbox(accountId) ? inSandbox(accountId) : ofNumbers((number) => registered.has(number));
    return pages.flatMap(({ number, templates }) =>
      templates.map((template) => viewOf(template, number, isSandbox(accountId))),
    );
  };
}

function viewOf(template: TemplateRecord, number: string, is_sandbox: boolean): ClientTemplate {
  const { name, language, status, category, body, parameters, format, quality, whyNot } = template;
  return {
    name,
    language,
    status,
    category,
    body,
    parameters,
    parameter_format: format,
    quality,
    number,
    is_usable: whyNot === null,
    why_not: whyNot && english(whyNot),
    moves_to: template.movesTo,
    moves_at: isoOrNull(template.movesAtMs),
    synced_at: isoUtc(template.syncedMs),
    is_sandbox,
  };
}
