/** What a quote warns of, as pages have it. */
import type { QuoteData } from "../../../admin/operations/submissions.ts";
import type { PageContext } from "./asked.ts";

type Warning = QuoteData["warnings"][number];

/** In the reader's words. */
export type ShownWarning = Omit<Warning, "detail"> & { readonly detail: string };

export function renderWarnings({ translate }: PageContext, warnings: readonly Warning[]): readonly ShownWarning[] {
  return warnings.map((one) => ({ ...one, detail: translate(one.detail) }));
}
