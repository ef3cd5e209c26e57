import type { GuideLanguage } from "./language.ts";
import { escaped } from "./markdown.ts";
import { WORDS } from "./words.ts";

/** An operator's code, and the beginnings of the numbers that it owns: E.164 digits without "+". */
export type ServedNumbers = { readonly operator: string; readonly prefixes: readonly string[] };

/** Stands in a page where the beginnings of numbers are told that this appliance serves. */
const MARK = "<!-- served numbers -->";

/** A page (HTML) that tells by operator how numbers begin that can be written to here; nothing where there is no operator. */
export function fillServedNumbers(
  page: string,
  served: readonly ServedNumbers[],
  language: GuideLanguage,
): string {
  if (!page.includes(MARK)) return page;
  const { operator, begin } = WORDS[language].served;
  const rows = served.map(({ operator: code, prefixes }) => {
    const beginnings = prefixes.toSorted().map((prefix) => `<code>+${escaped(prefix)}</code>`);
    return `<tr><td><code>${escaped(code)}</code></td><td data-head="${begin}">${beginnings.join(" ")}</td></tr>`;
  });
  const table = `<div class="table" tabindex="0"><table><thead><tr><th>${operator}</th><th>${begin}</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
  return page.replace(MARK, served.length > 0 ? table : "");
}
