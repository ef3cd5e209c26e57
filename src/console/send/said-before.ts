/** Whether a row of a file says what its number was told by an earlier batch: who has another text would lose this one unseen. Pure. */
import { createHash } from "node:crypto";
import { tagNameOf } from "../../base/tag-name.ts";
import type { TextPolicy } from "../../base/text-rules.ts";
import { worded } from "../../text/rewrite.ts";
import {
  type Attributes,
  compileTemplate,
  namedAsColumns,
  render,
  type Template,
  type WrittenText,
} from "../../text/template.ts";

/** How the texts of a batch were made of its rows. */
export type Written = WrittenText & { readonly policy: TextPolicy };

/** What earlier batches said. */
export type SaidBefore = {
  /** By number: what the text was that reached it, or may still do so, as `textMark` has it. */
  readonly marks: ReadonlyMap<string, string>;
  /** By place among those that are compared; null of a batch that said the same to everybody, or whose text is not kept any more. */
  readonly written: readonly (Written | null)[];
};

/** Stands for a text where many are compared. */
export function textMark(text: string): string {
  return createHash("sha256").update(text).digest("base64").slice(0, 20);
}

/** What a batch would have said to a row of a number, where it is not what it said; else null, also where nobody knows. */
export function otherTexts({ marks, written }: SaidBefore) {
  const templates = written.map((one) => one && { ...one, template: asColumns(one) });
  return (batch: number, msisdn: string, attributes: Attributes | undefined): string | null => {
    const mark = marks.get(msisdn);
    const how = templates[batch];
    if (mark === undefined || !how) return null;
    const text = render(how.template, attributes ?? null);
    if (text === null) return null;
    const here = worded(text, how.policy).text;
    return textMark(here) === mark ? null : here;
  };
}

/** A text whose tags are called as the columns of a file are that has them. */
function asColumns({ body, otherTags }: WrittenText): Template {
  const names = otherTags.map(tagNameOf);
  return compileTemplate(namedAsColumns(body, names), names);
}
