import type { RefObject } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { nearest } from "../../../../core/nearest.ts";
import { tagNameOf } from "../../../../core/tag-name.ts";
import { render, textsInBraces } from "../../../../text/template.ts";
import { Button } from "../../kit/button.tsx";
import { Section } from "../../kit/page.tsx";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { look } from "./bring.ts";
import { change, form, type RewriteRule } from "./form.ts";
import { GuiltyCharacters } from "./guilty-characters.tsx";
import { Previews } from "./previews.tsx";
import { columnTags, templateOf } from "./template-of.ts";
import {
  asSent,
  isReplaced,
  literalOf,
  type TextWeight,
  templateRewritten,
  weighText,
} from "./weigh-text.ts";

const LONGEST = 4000;

/** The text, what it weighs while it is written, and what the first people get. */
export function TextPart({ policy }: { readonly policy: RewriteRule }) {
  const { text } = form.value;
  const { text: words } = sending.value;
  const area = useRef<HTMLTextAreaElement>(null);
  const putAt = useCaret(area);
  const template = templateOf(text);
  const [first] = look.value?.first ?? [];
  const isFilled = template.hasTags && first !== undefined;
  const filledIn = (written: string): string =>
    isFilled ? (render(templateOf(written), first.attributes ?? null) ?? written) : written;
  const rule = form.value.textPolicy ?? policy;
  const filled = weighText(filledIn(text));
  // Names of tags are not sent.
  const sentOf = (written: string) =>
    weighText(isFilled ? filledIn(written) : literalOf(templateOf(written)));
  const rewritten = templateRewritten(template);
  return (
    <Section title={words.title}>
      <div class="pair wide-left">
        <div>
          <Writing weight={asSent(filled, rule)} isFilled={isFilled} area={area} putAt={putAt} />
          <UnknownTags tags={template.tags} onDone={() => putAt(null)} />
          <TextsInBraces onDone={() => putAt(null)} />
          <GuiltyCharacters
            hasTags={template.hasTags}
            filled={sentOf(text)}
            isOfText={weighText(literalOf(template)).guilty.length > 0}
            rewritten={rewritten === null ? null : { text: rewritten, filled: sentOf(rewritten) }}
            isReplaced={isReplaced(filled, rule)}
            onDone={() => putAt(null)}
          />
        </div>
        <Previews policy={policy} />
      </div>
    </Section>
  );
}

/**
 * Puts the focus into the text once it has changed, at a place or, for null, at its end: whoever pressed something beside it goes on
 * writing there.
 */
function useCaret(area: RefObject<HTMLTextAreaElement | null>): (place: number | null) => void {
  const wanted = useRef<{ readonly place: number | null } | null>(null);
  const [, setTurn] = useState(0);
  useLayoutEffect(() => {
    const line = area.current;
    if (wanted.current === null || line === null) return;
    const place = wanted.current.place ?? line.value.length;
    wanted.current = null;
    line.focus();
    line.setSelectionRange(place, place);
  });
  return (place) => {
    wanted.current = { place };
    setTurn((turn) => turn + 1);
  };
}

type WritingProps = {
  readonly weight: TextWeight;
  readonly isFilled: boolean;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly putAt: (place: number | null) => void;
};

function Writing({ weight, isFilled, area, putAt }: WritingProps) {
  const id = useId();
  /** Where the text was written last; before that a tag goes to its end. */
  const caret = useRef<readonly [number, number] | null>(null);
  const { text } = form.value;
  const { text: words } = sending.value;
  const tags = columnTags();
  const insert = (tag: string): void => {
    const [from, to] = caret.current ?? [text.length, text.length];
    const put = `{${tag}}`;
    const place = Math.min(from, text.length) + put.length;
    change({ text: text.slice(0, from) + put + text.slice(to) });
    caret.current = [place, place];
    putAt(place);
  };
  const remember = ({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }): void => {
    caret.current = [currentTarget.selectionStart, currentTarget.selectionEnd];
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
              aria-label={words.insertTag({ tag })}
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
        onBlur={remember}
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
  if (characters === 0) {
    return (
      <p class="count" id={id} aria-live="polite">
        {words.empty}
      </p>
    );
  }
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

/** What stands in braces and names no column, and what may be meant: it is sent as it stands. */
function TextsInBraces({ onDone }: { readonly onDone: () => void }) {
  const { text: words } = sending.value;
  const { text } = form.value;
  const known = columnTags();
  if (look.value?.column == null || known.length === 0) return null;
  const use = (found: string, meant: string): void => {
    change({ text: form.peek().text.replaceAll(`{${found}}`, `{${meant}}`) });
    onDone();
  };
  const texts = textsInBraces(text).filter((found) => !templateOf(`{${found}}`).hasTags);
  return (
    <div role="status">
      {texts.map((found) => {
        const meant = nearest(bare(tagNameOf(found.trim())), known.map(bare));
        const near = known.find((one) => bare(one) === meant);
        return (
          <p key={found} class="notice">
            {words.textInBraces({ text: found })}{" "}
            {near !== undefined && (
              <Button kind="quiet" onPress={() => use(found, near)}>
                {words.nearTag({ tag: near })}
              </Button>
            )}
          </p>
        );
      })}
    </div>
  );
}

/** Tags that no column fills in, and what may be meant. */
function UnknownTags({ tags, onDone }: { readonly tags: readonly string[]; readonly onDone: () => void }) {
  const { text: words } = sending.value;
  const known = look.value?.column == null ? null : look.value.tags.filter((tag) => tag !== null);
  if (known === null) return null;
  const isKnown = new Set(known.map((tag) => tag.normalize("NFC")));
  const unknown = tags.filter((tag) => !isKnown.has(tag.normalize("NFC")));
  const use = (tag: string, meant: string): void => {
    change({ text: form.peek().text.replaceAll(`{${tag}}`, `{${meant}}`) });
    onDone();
  };
  return (
    <div role="status">
      {unknown.map((tag) => {
        const meant = nearest(bare(tag), known.map(bare));
        const near = known.find((one) => bare(one) === meant);
        return (
          <p key={tag} class="notice">
            {words.unknownTag({ tag })}{" "}
            {near !== undefined && (
              <Button kind="quiet" onPress={() => use(tag, near)}>
                {words.nearTag({ tag: near })}
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
