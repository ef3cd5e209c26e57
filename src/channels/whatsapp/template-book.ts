/** The templates of accounts as they were read last, ready to be compared with bodies. */
import type { Reader } from "../../db/read.ts";
import { type Matcher, templateMatcher } from "./match-template.ts";
import { type KeptTemplate, templatesMark, templatesOf } from "./template-rows.ts";

export type TemplateBook = (wabaId: string) => Matcher<KeptTemplate>;

/** Makes an account's page anew when its templates were written since. */
export function templateBook(read: Reader): TemplateBook {
  const pages = new Map<string, { readonly mark: unknown; readonly match: Matcher<KeptTemplate> }>();
  return (wabaId) => {
    const mark = templatesMark(read, wabaId);
    const page = pages.get(wabaId);
    if (page !== undefined && page.mark === mark) return page.match;
    const match = templateMatcher(templatesOf(read, wabaId));
    pages.set(wabaId, { mark, match });
    return match;
  };
}
