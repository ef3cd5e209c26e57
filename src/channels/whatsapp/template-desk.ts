/** Writes down what Meta tells of templates between two readings, and has the readings made that it asks for. */

import type { Settings } from "../../config/in-force.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { TemplateSync } from "./sync-templates.ts";
import { readTemplateNews, type TemplateNews } from "./template-news.ts";
import { type TemplateNewsOutcome, applyTemplateNews } from "./template-stops.ts";
import type { HandleChanges } from "./webhook.ts";

export type TemplateNewsDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
  readonly log: Log;
  readonly readSoon: TemplateSync["readSoon"];
};

/**
 * Takes what calls say of templates; resolves once it is durable, with how much was not understood, of an account that no number has,
 * or of a template that is not known. What stops a template does so in that transaction. The account's templates are read soon, since an
 * event does not tell the text; one of quality tells all.
 */
export function createTemplateNewsHandler({ settings, store, clock, log, readSoon }: TemplateNewsDeps): HandleChanges {
  const isOurs = (wabaId: string): boolean =>
    Object.values(settings.now().whatsapp.numbers).some(({ waba_id }) => waba_id === wabaId);
  return async (changes) => {
    const news = changes.map(readTemplateNews).filter((one) => one !== null && isOurs(one.wabaId)) as TemplateNews[];
    if (news.length === 0) return changes.length;
    const outcomes = await store.write((tx) => news.map((one) => applyTemplateNews(tx, one, clock.nowMs())));
    news.forEach((one, place) => {
      tell(log, one, outcomes[place] ?? "unknown");
    });
    for (const { wabaId, said } of news) if (said.kind !== "quality") readSoon(wabaId);
    return changes.length - outcomes.filter((outcome) => outcome !== "unknown").length;
  };
}

function tell(log: Log, { name, language, said }: TemplateNews, outcome: TemplateNewsOutcome): void {
  const template = { template: name, language };
  if (outcome !== "applied") return;
  switch (said.kind) {
    case "stops":
      log.warn("a template has stopped", { ...template, status: said.status });
      return;
    case "moved":
      log.warn("a template has moved", { ...template, category: said.category });
      return;
    case "will_move":
      log.warn("Meta will move a template to another category", { ...template, category: said.category });
      return;
    case "quality":
      log.info("Meta thinks otherwise of a template", { ...template, quality: said.quality });
      return;
    case "other":
  }
}
