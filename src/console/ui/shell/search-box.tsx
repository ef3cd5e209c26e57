import { useId, useRef, useState } from "preact/hooks";
import { ask } from "../api/client.ts";
import type { SearchHit } from "../api/contract.ts";
import { after } from "../browser.ts";
import { go, HOME } from "../state/router.ts";
import { words } from "../words/words.ts";

/** Typing is waited for so long before the server is asked. */
const PAUSE_MS = 150;

/** Where what was found is shown. */
function placeOf({ kind, id }: SearchHit): string {
  const word = encodeURIComponent(id);
  switch (kind) {
    case "number":
      return `${HOME}/messages?number=${word}`;
    case "reference":
      return `${HOME}/messages?reference=${word}`;
    case "message":
      return `${HOME}/messages/${word}`;
    case "batch":
      return `${HOME}/batches/${word}`;
    case "account":
      return `${HOME}/accounts/${word}`;
    case "webhook":
      return `${HOME}/webhooks/${word}`;
  }
}

/** One box for a number, an id, a name: arrows choose, Enter opens, Escape leaves. */
export function SearchBox() {
  const id = useId();
  const pending = useRef(() => {});
  const latest = useRef("");
  const [hits, setHits] = useState<readonly SearchHit[] | null>(null);
  const [isFailed, setFailed] = useState(false);
  const [chosen, setChosen] = useState(0);
  const look = async (text: string): Promise<void> => {
    const answer = await ask("GET /search", { query: { q: text } });
    if (latest.current !== text) return;
    setHits(answer.ok ? answer.value.hits : []);
    setFailed(!answer.ok);
    setChosen(0);
  };
  const type = (text: string): void => {
    pending.current();
    latest.current = text.trim();
    if (latest.current === "") setHits(null);
    else pending.current = after(PAUSE_MS, () => void look(latest.current));
  };
  const open = (input: HTMLInputElement, hit: SearchHit | undefined): void => {
    if (!hit) return;
    input.value = "";
    setHits(null);
    input.blur();
    go(placeOf(hit));
  };
  const press = (event: KeyboardEvent, input: HTMLInputElement): void => {
    const count = hits?.length ?? 0;
    if (event.key === "Escape") {
      setHits(null);
      input.blur();
    } else if (event.key === "Enter") open(input, hits?.[chosen]);
    else if (event.key === "ArrowDown" && count > 0) setChosen((chosen + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) setChosen((chosen + count - 1) % count);
    else return;
    event.preventDefault();
  };
  const { search } = words.value;
  return (
    <search class="search">
      <input
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
        onBlur={() => setHits(null)}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      <Hits id={id} hits={hits} chosen={chosen} isFailed={isFailed} />
    </search>
  );
}

type HitsProps = {
  readonly id: string;
  readonly hits: readonly SearchHit[] | null;
  readonly chosen: number;
  readonly isFailed: boolean;
};

function Hits({ id, hits, chosen, isFailed }: HitsProps) {
  const { search, errors } = words.value;
  if (hits?.length === 0)
    return (
      <p class="hits" role="status" id={id}>
        {isFailed ? errors.OTHER.title : search.nothing}
      </p>
    );
  return (
    <div class={hits ? "hits" : "unseen"} role="listbox" id={id} aria-label={search.label}>
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
        >
          <span>{hit.title}</span>
          <span class="note">{search.kinds[hit.kind]}</span>
        </a>
      ))}
    </div>
  );
}
