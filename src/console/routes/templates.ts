/** The page "Templates": what can be sent by the numbers of WhatsApp, and why the rest cannot; letting one go on that was stopped. */
import { type Static, Type as t } from "typebox";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import {
  type StoppedTextView,
  type SyncView,
  type TemplatesView,
  type TemplateView,
  whatsappRelease,
  whatsappTemplates,
} from "../../operations/whatsapp.ts";
import type { Asked } from "./asked.ts";
import { route } from "./route.ts";

const TEMPLATE = t.Object({
  name: t.String({ minLength: 1, maxLength: 512 }),
  language: t.String({ minLength: 1, maxLength: 32 }),
});

/** With why something cannot be sent or was not read in the reader's words. */
type ShownTemplates = Omit<TemplatesView, "templates" | "stopped_texts" | "syncs"> & {
  readonly templates: readonly (Omit<TemplateView, "why_not"> & { readonly why_not: string | null })[];
  readonly stopped_texts: readonly (Omit<StoppedTextView, "why"> & { readonly why: string })[];
  readonly syncs: readonly (Omit<SyncView, "error"> & { readonly error: string | null })[];
};

function templatesPage({ context, inTheirWords }: Asked): AdminOutcome<ShownTemplates> {
  const all = whatsappTemplates(context);
  if (!all.ok) return all;
  const templates = all.value.templates.map((one) => ({
    ...one,
    why_not: one.why_not && inTheirWords(one.why_not),
  }));
  const stopped = all.value.stopped_texts.map((one) => ({ ...one, why: inTheirWords(one.why) }));
  const syncs = all.value.syncs.map((one) => ({ ...one, error: one.error && inTheirWords(one.error) }));
  return done({ templates, stopped_texts: stopped, syncs });
}

function releaseOne({ context }: Asked, { name, language }: Static<typeof TEMPLATE>) {
  return whatsappRelease(context, name, language);
}

export const TEMPLATE_ROUTES = {
  "GET /templates": route({ operation: "operators.read" }, templatesPage),
  "POST /templates/release": route({ operation: "operators.change", body: TEMPLATE }, (asked, { body }) =>
    releaseOne(asked, body),
  ),
};
