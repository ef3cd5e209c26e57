/**
 * Text editor of the send page: counts segments while somebody types, inserts tags, and offers replacements for characters
 * outside GSM 03.38.
 */
import type { RefObject } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { nearest } from "../../../../core/edit-distance.ts";
import { toTagName } from "../../../../core/tag-name.ts";
import { findBracedTexts, render } from "../../../../text/template.ts";
import { Button, Section } from "../../kit/kit.ts";
import { sending } from "../../words/send.ts";
import { change, form, type RewriteRule, replaceInText, takeBack } from "./form.ts";
import { columnTags, compileForColumns, Previews } from "./previews.tsx";
import {
  asSent,
  isReplaced,
  listReplaced,
  literalOf,
  measureText,
  type NonGsmCharacter,
  type Replacement,
  type TextMeasure,
  templateRewritten,
} from "./text-measure.ts";
import { look } from "./upload.ts";
import { type Saving, useSaving } from "./use-quote.ts";

const LONGEST = 4000;

export function TextPart({ policy }: { readonly policy: RewriteRule }) {
  const { text } = form.value;
  const { text: words } = sending.value;
  const area = useRef<HTMLTextAreaElement>(null);
  const putAt = useCaret(area);
  const template = compileForColumns(text);
  const [first] = look.value?.first ?? [];
  const isFilled = template.hasTags && first !== undefined;
  const filledIn = (written: string): string =>
    isFilled ? (render(compileForColumns(written), first.attributes ?? null) ?? written) : written;
  const rule = form.value.textPolicy ?? policy;
  const filled = measureText(filledIn(text));
  // Names of tags are not sent.
  const sentOf = (written: string) =>
    measureText(isFilled ? filledIn(written) : literalOf(compileForColumns(written)));
  const rewritten = templateRewritten(template);
  const sent = sentOf(text);
  const isSentReplaced = isReplaced(filled, rule);
  const saving = useSaving(form.value.account, sent.guilty.length > 0 && !isSentReplaced);
  return (
    <Section title={words.title}>
      <div class="pair wide-left">
        <div>
          <Writing weight={asSent(filled, rule)} isFilled={isFilled} area={area} putAt={putAt} />
          <UnknownTags tags={template.tags} onDone={() => putAt(null)} />
          <TextsInBraces onDone={() => putAt(null)} />
          <GuiltyCharacters
            hasTags={template.hasTags}
            filled={sent}
            isOfText={measureText(literalOf(template)).guilty.length > 0}
            rewritten={rewritten === null ? null : { text: rewritten, filled: sentOf(rewritten) }}
            isReplaced={isSentReplaced}
            saving={saving}
            onDone={() => putAt(null)}
          />
        </div>
        <Previews policy={policy} />
      </div>
    </Section>
  );
}

/**
 * Focuses the text once it has changed, at a place or, for null, at its end: whoever pressed something beside it goes on
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
  readonly weight: TextMeasure;
  readonly isFilled: boolean;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly putAt: (place: number | null) => void;
};

function Writing({ weight, isFilled, area, putAt }: WritingProps) {
  const id = useId();
  /** Where the text was edited last; before that a tag goes to its end. */
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

type CountProps = { readonly id: string; readonly weight: TextMeasure; readonly isFilled: boolean };

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
      <strong>{words.segments(segments)}</strong>
      {` · ${words.characters(characters)} · `}
      <span class={encoding === "UCS2" ? "dear" : undefined}>{words.alphabet[encoding]}</span>
      {` · ${words.left(left)}`}
      {isFilled && <span class="note">{` · ${words.forFirst}`}</span>}
    </p>
  );
}

type DoneProps = { readonly onDone: () => void };

/** Texts in braces that name no column: they are sent as they are. */
function TextsInBraces({ onDone }: DoneProps) {
  const { text: words } = sending.value;
  const known = columnTags();
  if (look.value?.column == null || known.length === 0) return null;
  const texts = findBracedTexts(form.value.text).filter((found) => !compileForColumns(`{${found}}`).hasTags);
  return (
    <Suggestions
      found={texts}
      known={known}
      told={(text) => words.textInBraces({ text })}
      nameOf={(text) => toTagName(text.trim())}
      onDone={onDone}
    />
  );
}

/** Tags that no column fills in. */
function UnknownTags({ tags, onDone }: DoneProps & { readonly tags: readonly string[] }) {
  const { text: words } = sending.value;
  if (look.value?.column == null) return null;
  const known = columnTags();
  const isKnown = new Set(known.map((tag) => tag.normalize("NFC")));
  const unknown = tags.filter((tag) => !isKnown.has(tag.normalize("NFC")));
  return (
    <Suggestions found={unknown} known={known} told={(tag) => words.unknownTag({ tag })} onDone={onDone} />
  );
}

type SuggestionsProps = DoneProps & {
  /** What stands in braces and is no tag of a column. */
  readonly found: readonly string[];
  readonly known: readonly string[];
  readonly told: (found: string) => string;
  /** The tag that it would be. */
  readonly nameOf?: (found: string) => string;
};

/** What in braces is no tag of a column, each with the tag that is nearest. */
function Suggestions({ found, known, told, nameOf = (tag) => tag, onDone }: SuggestionsProps) {
  const use = (one: string, meant: string): void => {
    change({ text: form.peek().text.replaceAll(`{${one}}`, `{${meant}}`) });
    onDone();
  };
  return (
    <div role="status">
      {[...new Set(found)].map((one) => {
        const meant = nearest(bare(nameOf(one)), known.map(bare));
        const near = known.find((tag) => bare(tag) === meant);
        return (
          <p key={one} class="notice">
            {told(one)}{" "}
            {near !== undefined && (
              <Button kind="quiet" onPress={() => use(one, near)}>
                {sending.value.text.nearTag({ tag: near })}
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

const MAX_SHOWN = 8;

type GuiltyProps = {
  /** The text as the first person would get it. */
  readonly filled: TextMeasure;
  /** Whether the text has tags, which other rows fill in with something else. */
  readonly hasTags: boolean;
  /** Whether some of them stand in the text itself, not only in values of columns. */
  readonly isOfText: boolean;
  /** The text with its own replaced, and the size of the first person's then; null where one cannot be. */
  readonly rewritten: { readonly text: string; readonly filled: TextMeasure } | null;
  /** Whether they are replaced as it is sent. */
  readonly isReplaced: boolean;
  /** What that saves over all who get the text; null while that is not known. */
  readonly saving: Saving | null;
  readonly onDone: () => void;
};

/** Characters that take more room than others, by name, their replacements, what that saves, and how to undo it. */
function GuiltyCharacters({ onDone, ...props }: GuiltyProps) {
  const { filled, isOfText, isReplaced } = props;
  const { text: words } = sending.value;
  const { replaced } = form.value;
  const done = replaced && <ReplacedInText replaced={replaced} onDone={onDone} />;
  if (filled.guilty.length === 0) return done;
  return (
    <>
      {done}
      <div class={filled.costsMore && !isReplaced ? "notice" : "notice calm"}>
        <p class="notice-title">{titleOf(filled.costsMore, isReplaced, isOfText)}</p>
        <ul>
          {filled.guilty.slice(0, MAX_SHOWN).map((one) => (
            <li key={one.character}>{sentence(one, isReplaced)}</li>
          ))}
        </ul>
        {isReplaced ? (
          <>
            <p>{words.guiltyReplaced({ segments: smses(filled.rewritten?.segments ?? filled.segments) })}</p>
            <Button
              onPress={() => {
                change({ textPolicy: "as_is" });
                onDone();
              }}
            >
              {words.asWritten}
            </Button>
          </>
        ) : (
          <Offer {...props} onDone={onDone} />
        )}
      </div>
    </>
  );
}

function smses(count: number): string {
  return sending.value.text.segments(count);
}

function titleOf(costsMore: boolean, isReplaced: boolean, isOfText: boolean): string {
  const { text: words } = sending.value;
  if (isReplaced) return words.guiltyGo;
  if (costsMore) return isOfText ? words.guilty : words.guiltyValues;
  return isOfText ? words.rare : words.rareValues;
}

/** Offers to replace them, with what that saves in all: in the text where that does it, else as it is sent to each. */
function Offer({ filled, hasTags, rewritten, saving, onDone }: GuiltyProps) {
  const { text: words } = sending.value;
  const isEnough = rewritten !== null && rewritten.filled.guilty.length === 0;
  const after = isEnough ? rewritten.filled : filled.rewritten;
  const sum = saving !== null && saving.saved > 0 ? saving : null;
  if (after === null && sum === null) return filled.costsMore ? null : <p>{words.savesNothing}</p>;
  const inText = sum === null ? isEnough : rewritten !== null && sum.isWhole;
  const replace = (): void => {
    if (rewritten !== null && inText) replaceInText(rewritten.text);
    if (!inText || sum?.isOfValues) change({ textPolicy: "rewrite" });
    onDone();
  };
  return (
    <>
      {after !== null && (
        <p>
          {after.segments < filled.segments
            ? words.saves({ before: smses(filled.segments), after: smses(after.segments) })
            : words.savesNothing}
        </p>
      )}
      {sum === null && isEnough && hasTags && <p>{words.namesMayHoldMore}</p>}
      <Button onPress={replace}>
        {sum === null
          ? inText
            ? words.rewrite
            : words.rewriteSent
          : words.rewriteSaves(sum.characters, { saved: sum.saved })}
      </Button>
    </>
  );
}

type ReplacedProps = { readonly replaced: Replacement } & Pick<GuiltyProps, "onDone">;

/** They were replaced in the text: which by what, and how to undo it. */
function ReplacedInText({ replaced, onDone }: ReplacedProps) {
  const { text: words } = sending.value;
  return (
    <div class="notice calm">
      <p>{words.replaced}</p>
      <ul>
        {listReplaced(replaced)
          .slice(0, MAX_SHOWN)
          .map(({ character, replacement, times }) => (
            <li key={character}>
              {replacement === ""
                ? words.wasLeftOut({ name: characterNamed(character) })
                : words.wasReplaced(times, {
                    character: characterNamed(character),
                    replacement: shownReplacement(replacement),
                  })}
            </li>
          ))}
      </ul>
      <Button
        onPress={() => {
          takeBack();
          onDone();
        }}
      >
        {words.takeBack}
      </Button>
    </div>
  );
}

/** What happens to a character as it is sent, or may happen to it. */
function sentence({ character, replacement }: NonGsmCharacter, isReplaced: boolean): string {
  const { text: words } = sending.value;
  const name = characterNamed(character);
  if (replacement === null) return words.guiltyStays({ character: name });
  if (replacement === "") return (isReplaced ? words.guiltyGoes : words.guiltyMayGo)({ name });
  return (isReplaced ? words.guiltyBecomes : words.guiltyMayBecome)({
    character: name,
    replacement: shownReplacement(replacement),
  });
}

function shownReplacement(replacement: string | null): string {
  return replacement === " " ? "␣" : (replacement ?? "");
}

/** What people call a character. */
function characterWord(character: string): string {
  const { names, letter, emoji, sign } = sending.value;
  const known = names[character];
  if (known !== undefined) return known;
  if (/\p{L}/u.test(character)) return letter({ letter: character });
  if (/\p{Extended_Pictographic}/u.test(character)) return emoji;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${sign} U+${code}`;
}

/** A character with what it is called; a letter is named by itself already. */
export function characterNamed(character: string): string {
  const word = characterWord(character);
  return isSeen(character) && !word.includes(character) ? `${character} (${word})` : word;
}

/** Whether a character can be seen where it stands by itself. */
function isSeen(character: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character);
}
