/** The text as the first recipients would read it. */
import type { ComponentChildren } from "preact";
import { compileTemplate, matchTagsToColumns, render, type Template } from "../../../../text/template.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { form, type RewriteRule } from "./form.ts";
import { asSent, isReplaced, measureText } from "./text-measure.ts";
import { look } from "./upload.ts";
import type { ShownQuote } from "./use-quote.ts";

type Preview = { readonly msisdn: string; readonly text: string; readonly segments: number };

/** The text filled in with the first rows, once it is written and the file is there. Who of them gets it is not known yet. */
export function Previews({ policy: usual }: { readonly policy: RewriteRule }) {
  const { text: words } = sending.value;
  const { text, textPolicy } = form.value;
  const policy = textPolicy ?? usual;
  const template = compileForColumns(text);
  const first = look.value?.first ?? [];
  if (text === "" || (first.length === 0 && template.hasTags)) {
    return <p class="note previews">{template.hasTags ? words.nobody : ""}</p>;
  }
  const rows = first.length > 0 ? first : [{ msisdn: "", attributes: {} }];
  const shown = (template.hasTags ? rows : rows.slice(0, 1)).map(({ msisdn, attributes = null }): Preview => {
    const filled = render(template, attributes) ?? "";
    const weight = measureText(filled);
    const sent = isReplaced(weight, policy) ? (weight.rewritten?.text ?? filled) : filled;
    return { msisdn, text: sent, segments: asSent(weight, policy).segments };
  });
  return <Bubbles title={template.hasTags ? words.previews : words.preview} previews={shown} />;
}

/** The texts of the first recipients that are sent to, word for word. */
export function FirstSent({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const [one, ...others] = quote.first;
  if (!one) return null;
  // One text for all is shown once.
  const isOne = others.every(({ text }) => text === one.text);
  return <Bubbles title={words.first} previews={isOne ? [one] : quote.first} />;
}

type BubblesProps = { readonly title: ComponentChildren; readonly previews: readonly Preview[] };

function Bubbles({ title, previews }: BubblesProps) {
  const { text: words } = sending.value;
  const { sender } = form.value;
  return (
    <div class="previews">
      <h3>{title}</h3>
      <ul>
        {previews.map(({ msisdn, text, segments }, at) => (
          <li key={`${msisdn} ${at}`}>
            <p class="note">
              {sender} {msisdn !== "" && `· ${words.to({ number: figures.phone(msisdn) })}`} ·{" "}
              {text === "" ? words.empty : words.segments(segments)}
            </p>
            <p class="bubble">{text}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

// The text and the columns of the uploaded file, combined as the server does.

/** The names that the columns of the file fill in; none while there is no file. */
export function columnTags(): readonly string[] {
  return (look.value?.tags ?? []).filter((tag) => tag !== null);
}

export function compileForColumns(text: string): Template {
  const columns = columnTags();
  return compileTemplate(matchTagsToColumns(text, columns), columns);
}
