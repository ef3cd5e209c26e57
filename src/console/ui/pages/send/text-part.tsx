import { useId, useRef } from "preact/hooks";
import { nearest } from "../../../../base/nearest.ts";
import { compileTemplate, render } from "../../../../text/template.ts";
import { Button } from "../../kit/button.tsx";
import { Section } from "../../kit/page.tsx";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { look } from "./bring.ts";
import { change, form, type RewriteRule } from "./form.ts";
import { GuiltyCharacters } from "./guilty-characters.tsx";
import { Previews } from "./previews.tsx";
import { type TextWeight, weighText } from "./weigh-text.ts";

const LONGEST = 4000;

/** The text, what it weighs while it is written, and what the first people get. */
export function TextPart({ policy }: { readonly policy: RewriteRule }) {
  const { text } = form.value;
  const { text: words } = sending.value;
  const template = compileTemplate(text);
  const [first] = look.value?.first ?? [];
  const isFilled = template.hasTags && first !== undefined;
  const shown = isFilled ? (render(template, first.attributes ?? null) ?? text) : text;
  const weight = weighText(shown);
  return (
    <Section title={words.title}>
      <div class="pair wide-left">
        <div>
          <Writing weight={weight} isFilled={isFilled} />
          <UnknownTags tags={template.tags} />
          <GuiltyCharacters weight={weighText(text)} />
        </div>
        <Previews policy={policy} />
      </div>
    </Section>
  );
}

function Writing({ weight, isFilled }: { readonly weight: TextWeight; readonly isFilled: boolean }) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { text } = form.value;
  const { text: words } = sending.value;
  const tags = (look.value?.tags ?? []).filter((tag) => tag !== null);
  const insert = (tag: string): void => {
    const { selectionStart: from = text.length, selectionEnd: to = text.length } = area.current ?? {};
    const put = `{${tag}}`;
    change({ text: text.slice(0, from) + put + text.slice(to) });
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(from + put.length, from + put.length);
    });
  };
  return (
    <div class="field">
      <label for={id}>{words.label}</label>
      {tags.length > 0 && (
        <p class="tags">
          <span class="note">{words.insert}</span>{" "}
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              class="tag"
              aria-label={words.insertTag(tag)}
              onClick={() => insert(tag)}
            >{`{${tag}}`}</button>
          ))}
        </p>
      )}
      <textarea
        ref={area}
        id={id}
        name="text"
        rows={7}
        value={text}
        aria-describedby={`${id}-count`}
        onInput={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      <Count id={`${id}-count`} weight={weight} isFilled={isFilled} />
      {[...text].length > LONGEST && <p class="fault">{words.tooLong}</p>}
    </div>
  );
}

type CountProps = { readonly id: string; readonly weight: TextWeight; readonly isFilled: boolean };

function Count({ id, weight, isFilled }: CountProps) {
  const { text: words } = sending.value;
  const { characters, segments, encoding, left } = weight;
  return (
    <p class="count" id={id} aria-live="polite">
      <strong>{figures.count(segments, words.segments)}</strong>
      {` · ${figures.count(characters, words.characters)} · `}
      <span class={encoding === "UCS2" ? "dear" : undefined}>{words.alphabet[encoding]}</span>
      {` · ${figures.count(left, words.left)}`}
      {isFilled && <span class="note">{` · ${words.forFirst}`}</span>}
    </p>
  );
}

/** Tags that no column fills in, and what may be meant. */
function UnknownTags({ tags }: { readonly tags: readonly string[] }) {
  const { text: words } = sending.value;
  const known = look.value?.column == null ? null : look.value.tags.filter((tag) => tag !== null);
  if (known === null) return null;
  const isKnown = new Set(known.map((tag) => tag.normalize("NFC")));
  const unknown = tags.filter((tag) => !isKnown.has(tag.normalize("NFC")));
  const use = (tag: string, meant: string): void => {
    change({ text: form.peek().text.replaceAll(`{${tag}}`, `{${meant}}`) });
  };
  return (
    <div role="status">
      {unknown.map((tag) => {
        const meant = nearest(bare(tag), known.map(bare));
        const near = known.find((one) => bare(one) === meant);
        return (
          <p key={tag} class="notice">
            {words.unknownTag(tag)}{" "}
            {near !== undefined && (
              <Button kind="quiet" onPress={() => use(tag, near)}>
                {words.nearTag(near)}
              </Button>
            )}
          </p>
        );
      })}
    </div>
  );
}

function bare(name: string): string {
  return name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
