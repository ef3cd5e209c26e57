import { compileTemplate, render } from "../../../../text/template.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { look } from "./bring.ts";
import { form, type RewriteRule } from "./form.ts";
import { asSent, isReplaced, weighText } from "./weigh-text.ts";

/** The text as the first people get it, as far as it is written and the file is there. */
export function Previews({ policy: usual }: { readonly policy: RewriteRule }) {
  const { text: words } = sending.value;
  const { text, sender, textPolicy } = form.value;
  const policy = textPolicy ?? usual;
  const template = compileTemplate(text);
  const first = look.value?.first ?? [];
  if (text === "" || (first.length === 0 && template.hasTags)) {
    return <p class="note previews">{template.hasTags ? words.nobody : ""}</p>;
  }
  const shown = first.length > 0 ? first : [{ msisdn: "", attributes: {} }];
  return (
    <div class="previews">
      <h3>{words.previews}</h3>
      <ul>
        {(template.hasTags ? shown : shown.slice(0, 1)).map(({ msisdn, attributes = null }, at) => {
          const filled = render(template, attributes) ?? "";
          const weight = weighText(filled);
          const { segments } = asSent(weight, policy);
          const shownText = isReplaced(weight, policy) ? (weight.rewritten?.text ?? filled) : filled;
          return (
            <li key={`${msisdn} ${at}`}>
              <p class="note">
                {sender} {msisdn !== "" && `· ${words.to(msisdn)}`} ·{" "}
                {figures.count(segments, words.segments)}
              </p>
              <p class="bubble">{shownText}</p>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
