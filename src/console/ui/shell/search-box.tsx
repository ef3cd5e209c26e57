import { useId, useRef, useState } from "preact/hooks";
import { ask } from "../api/client.ts";
import type { SearchHit } from "../api/contract.ts";
import { after } from "../browser.ts";
import { go, HOME } from "../state/router.ts";
import { rowWords } from "../words/rows.ts";
import { figures, labelled, rejectionWord, stateWord, words } from "../words/words.ts";
import { arranged, leadsToList } from "./search-choice.ts";

type RowFound = Extract<SearchHit, { readonly kind: "row" }>;

/** Typing is waited for so long before the server is asked. */
const PAUSE_MS = 150;

/** Where what was found is shown. */
function placeOf(hit: SearchHit): string {
  const word = encodeURIComponent(hit.id);
  switch (hit.kind) {
    case "number":
    case "no number":
      return `${HOME}/messages?number=${word}`;
    case "reference":
      return `${HOME}/messages?reference=${word}`;
    case "message":
    case "sent":
      return `${HOME}/messages/${word}`;
    case "batch":
    case "left out":
      return `${HOME}/batches/${word}`;
    case "row":
    case "rows":
      return `${HOME}/batches/${word}?row=${encodeURIComponent(hit.typed)}`;
    case "account":
      return `${HOME}/accounts/${word}`;
    case "webhook":
      return `${HOME}/webhooks/${word}`;
  }
}

/** What a place is; of a batch that a number was left out of, which one and why. */
function noteOf(hit: SearchHit, isList: boolean): string {
  const { search } = words.value;
  switch (hit.kind) {
    case "left out":
      return search.leftOut({ time: figures.time(hit.at), why: rejectionWord(hit.reason) });
    case "sent": {
      const told = search.sent({ state: stateWord(hit.status), time: figures.time(hit.at) });
      return hit.why === null ? told : figures.saying(labelled(told, hit.why));
    }
    case "no number": {
      const detail = isList ? search.list : figures.saying(hit.detail);
      if (hit.looked === null || hit.looked === 0) return detail;
      const looked = figures.number(hit.looked);
      return `${detail.replace(/\.$/, "")}. ${hit.is_all ? search.lookedAll({ count: looked }) : search.looked({ count: looked })}`;
    }
    case "row": {
      const row = search.row({ line: figures.number(hit.line), time: figures.time(hit.at) });
      const told = hit.is_nearly ? search.nearly({ row }) : row;
      return hit.corrected === null ? told : `${told}. ${correctedWord(hit.corrected)}`;
    }
    case "rows":
      return search.rows({ count: figures.count(hit.rows, search.rowCount), time: figures.time(hit.at) });
    default:
      return search.kinds[hit.kind];
  }
}

/** What was sent since for a row that was not. */
function correctedWord({ msisdn, status, at }: NonNullable<RowFound["corrected"]>): string {
  return rowWords.value.corrected({ msisdn, state: stateWord(status).toLowerCase(), time: figures.time(at) });
}

/** What is looked for while somebody types, and what Enter opens. */
function useSearch() {
  const pending = useRef(() => {});
  const latest = useRef("");
  const [hits, setHits] = useState<readonly SearchHit[] | null>(null);
  const [isFailed, setFailed] = useState(false);
  const [chosen, setChosen] = useState(0);
  /** What the hits that are shown fit. */
  const shown = useRef("");
  /** What Enter was pressed for before its hits were there. */
  const entered = useRef<{ readonly text: string; readonly input: HTMLInputElement } | null>(null);
  const look = async (text: string): Promise<void> => {
    const answer = await ask("GET /search", { query: { q: text } });
    if (latest.current !== text) return;
    const found = answer.ok ? arranged(answer.value.hits) : [];
    shown.current = text;
    setHits(found);
    setFailed(!answer.ok);
    setChosen(0);
    const pressed = entered.current;
    entered.current = null;
    if (pressed?.text === text && found.length === 1) open(pressed.input, found[0]);
  };
  const type = (text: string): void => {
    pending.current();
    latest.current = text.trim();
    entered.current = null;
    if (latest.current === "") setHits(null);
    else pending.current = after(PAUSE_MS, () => void look(latest.current));
  };
  /** Opens what is chosen; what was typed a moment ago is looked for at once, and opened where it means one place. */
  const enter = (input: HTMLInputElement): void => {
    if (latest.current === "") return;
    if (hits !== null && shown.current === latest.current) {
      open(input, hits[chosen]);
      return;
    }
    const isUnderWay = entered.current?.text === latest.current;
    entered.current = { text: latest.current, input };
    pending.current();
    if (!isUnderWay) void look(latest.current);
  };
  const open = (input: HTMLInputElement, hit: SearchHit | undefined): void => {
    if (!hit) return;
    input.value = "";
    latest.current = "";
    setHits(null);
    input.blur();
    go(placeOf(hit));
  };
  const leave = (): void => {
    entered.current = null;
    setHits(null);
  };
  /** A place was opened by a press: the box is for what is looked for next. */
  const opened = (input: HTMLInputElement | null): void => {
    if (input) input.value = "";
    latest.current = "";
    leave();
  };
  return { hits, isFailed, chosen, setChosen, type, enter, leave, opened };
}

/** One box for a number, an id, a name: arrows choose, Enter opens, Escape leaves. */
export function SearchBox() {
  const id = useId();
  const { hits, isFailed, chosen, setChosen, type, enter, leave, opened } = useSearch();
  const line = useRef<HTMLInputElement>(null);
  const press = (event: KeyboardEvent, input: HTMLInputElement): void => {
    const count = hits?.length ?? 0;
    if (event.key === "Escape") {
      leave();
      input.blur();
    } else if (event.key === "Enter") enter(input);
    else if (event.key === "ArrowDown" && count > 0) setChosen((chosen + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) setChosen((chosen + count - 1) % count);
    else return;
    event.preventDefault();
  };
  const { search } = words.value;
  return (
    <search class="search">
      <input
        ref={line}
        id="search"
        type="search"
        role="combobox"
        list={undefined}
        autocomplete="off"
        maxLength={200}
        aria-label={search.label}
        aria-expanded={hits !== null}
        aria-controls={id}
        aria-activedescendant={hits?.[chosen] ? `${id}-${chosen}` : undefined}
        placeholder={search.placeholder}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={(event) => press(event, event.currentTarget)}
        onBlur={leave}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      <Hits id={id} hits={hits} chosen={chosen} isFailed={isFailed} onOpened={() => opened(line.current)} />
    </search>
  );
}

type HitsProps = {
  readonly id: string;
  readonly hits: readonly SearchHit[] | null;
  readonly chosen: number;
  readonly isFailed: boolean;
  readonly onOpened: () => void;
};

function Hits({ id, hits, chosen, isFailed, onOpened }: HitsProps) {
  const { search, errors } = words.value;
  if (hits?.length === 0)
    return (
      <p class="hits" role="status" id={id}>
        {isFailed ? errors.OTHER.title : search.nothing}
      </p>
    );
  const isList = leadsToList(hits ?? []);
  return (
    <div class={hits ? "hits" : "unseen"}>
      <div role="listbox" id={id} aria-label={search.label}>
        {hits?.map((hit, place) => (
          // A click comes after the field has lost the focus: the list must stand until then.
          <a
            key={`${hit.kind} ${hit.id}`}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            href={placeOf(hit)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={onOpened}
          >
            <span>{hit.title}</span>
            <span class="note">{noteOf(hit, isList)}</span>
          </a>
        ))}
      </div>
      {(hits?.length ?? 0) > 1 && <p class="note">{search.howToChoose}</p>}
    </div>
  );
}
