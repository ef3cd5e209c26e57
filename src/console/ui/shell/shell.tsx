/**
 * Frame around the console's pages: navigation, search box, help, keyboard shortcuts, and the dialog that asks for the
 * second factor again.
 */
import { signal } from "@preact/signals";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { callApi, onUnconfirmed, type Problem } from "../api/client.ts";
import type { SearchHit } from "../api/contract.ts";
import { after } from "../browser.ts";
import { Button, CodeField, Dialog, ErrorBox, Field, Form, MenuPage, Page, Toasts } from "../kit/kit.ts";
import type { NavigationGroup } from "../pages/lazy-page.tsx";
import { PAGES } from "../pages/pages.ts";
import { type ConfirmedFor, deriveConfirmedFor } from "../state/confirmed-for.ts";
import { language } from "../state/preferences.ts";
import { fits, go, HOME, path } from "../state/router.ts";
import { may, me, usePresence } from "../state/session.ts";
import { rowWords } from "../words/rows.ts";
import { figures, labelled, rejectionWord, stateWord, words } from "../words/words.ts";
import { opensList, sortHits } from "./search-choice.ts";
import { Brand } from "./sign-in-layout.tsx";

/** Whether the list of pages is open, where there is no room beside the page. */
const isMenuOpen = signal(false);

export function Shell() {
  useEffect(followKeys, []);
  usePresence();
  const here = path.value;
  useEffect(() => {
    isMenuOpen.value = false;
  }, [here]);
  const text = words.value;
  return (
    <div class={isMenuOpen.value ? "shell menu-open" : "shell"}>
      <a class="skip" href="#content">
        {text.skip}
      </a>
      <header class="top">
        <button
          type="button"
          class="menu-button"
          aria-expanded={isMenuOpen.value}
          aria-controls="menu"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          {text.menu}
        </button>
        <a class="home" href={HOME}>
          <Brand />
        </a>
        {may("search") && <SearchBox />}
        <Who />
      </header>
      <div class="side">
        <Navigation />
      </div>
      <main id="content" tabIndex={-1}>
        {me.value?.renews_factor && (
          <p class="notice" role="status">
            {text.renewFactor} <a href={`${HOME}/you`}>{text.renewFactorLink}</a>
          </p>
        )}
        <Here />
      </main>
      <Toasts />
      <ConfirmAgain />
      {isHelpOpen.value && <Help />}
    </div>
  );
}

function Who() {
  const { roles } = words.value;
  const who = me.value;
  if (!who) return null;
  const role = (roles as Readonly<Record<string, string>>)[who.role] ?? who.role;
  return (
    <div class="who">
      <a href={`${HOME}/you`} title={who.login}>
        <span>{who.account?.name ?? words.value.theAppliance}</span>
        <span class="note">{role}</span>
      </a>
      <Button
        kind="quiet"
        label={words.value.help.title}
        onPress={() => {
          isHelpOpen.value = true;
        }}
      >
        ?
      </Button>
    </div>
  );
}

/** The page of the address with the parts that its path names; null where there is none, or one that may not be seen. */
function pageHere() {
  for (const page of PAGES) {
    const parts = fits(page.path, path.value);
    if (parts && (page.capability === null || may(page.capability))) return { ...page, parts };
  }
  return null;
}

function Here() {
  const here = pageHere();
  if (here === null)
    return (
      <Page title={words.value.errors.NOT_FOUND.title}>
        <ErrorBox problem={{ status: 404, code: "NOT_FOUND", detail: "" }} />
      </Page>
    );
  const { component: Component, parts, under } = here;
  const parent = under && entries().find(({ to }) => to === under());
  return (
    <MenuPage.Provider value={parent ? { to: parent.to, name: parent.name(words.value) } : null}>
      <Component key={path.value} parts={parts} />
    </MenuPage.Provider>
  );
}

/** Links to documentation, the glossary, and the keys. */
function Help() {
  const { help, glossary, close } = words.value;
  return (
    <Dialog title={help.title} onClose={() => closeHelp()}>
      <p>
        <a href={`/docs/${language.value}`} target="_blank" rel="noopener">
          {help.docs}
        </a>
      </p>
      <p class="note">{help.docsNote}</p>
      <details>
        <summary>{help.words}</summary>
        <dl class="terms">
          {Object.entries(help.terms).map(([term, name]) => (
            <div key={term}>
              <dt>{name}</dt>
              <dd>{(glossary as Readonly<Record<string, string>>)[term]}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Keys />
      <form method="dialog" class="actions">
        <button type="submit" class="button">
          {close}
        </button>
      </form>
    </Dialog>
  );
}

function Keys() {
  const text = words.value;
  const { keys } = text;
  const rows: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
    { keys: ["/"], does: keys.search },
    { keys: ["?"], does: keys.help },
    { keys: ["Esc"], does: keys.leave },
    ...entries().map(({ letter, name }) => ({ keys: ["g", letter], does: keys.goTo({ page: name(text) }) })),
  ];
  return (
    <details>
      <summary>{keys.title}</summary>
      <dl class="keys">
        {rows.map(({ keys: pressed, does }) => (
          <div key={does}>
            <dt>
              {pressed.map((key, place) => (
                <span key={key}>
                  {place > 0 && ` ${keys.andThen} `}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function closeHelp(): void {
  isHelpOpen.value = false;
}

// The second factor, asked for again before money and keys are touched.

/** Callers waiting for the second factor, resolved with whether it was given; empty where there are none. */
const waiting = signal<readonly ((isGiven: boolean) => void)[]>([]);

onUnconfirmed(
  (route) =>
    new Promise((told) => {
      what.value = deriveConfirmedFor(route);
      waiting.value = [...waiting.value, told];
    }),
);

/** What the second factor is needed for. */
const what = signal<ConfirmedFor>("money");

function tell(isGiven: boolean): void {
  const all = waiting.value;
  waiting.value = [];
  for (const told of all) told(isGiven);
}

/** Asks for the second factor while a caller waits for it. Stands once, in the shell. */
function ConfirmAgain() {
  return waiting.value.length === 0 ? null : <Asking />;
}

/** Digits of a code. */
const DIGITS = 6;

function Asking() {
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isPressed, setPressed] = useState(false);
  const { confirm, signIn } = words.value;
  const isMissing = isRecovery ? code.trim() === "" : code.length < DIGITS;
  const fault = isPressed && isMissing ? (isRecovery ? confirm.missingRecovery : confirm.missing) : null;
  const submit = async (): Promise<void> => {
    setPressed(true);
    if (isMissing) return;
    const body = isRecovery ? { recoveryCode: code.trim() } : { code };
    const answer = await callApi("POST /confirm", { body });
    if (answer.ok) return tell(true);
    setProblem(answer.problem);
    setPressed(false);
    setCode("");
  };
  return (
    <Dialog title={confirm.title} onClose={() => tell(false)}>
      <Form class="" noValidate verb={confirm.submit} onSubmit={submit} onCancel={() => tell(false)}>
        <p>{confirm.of[what.value]}</p>
        {problem && <NotTaken problem={problem} />}
        {isRecovery ? (
          <Field
            label={signIn.recovery}
            name="recovery"
            value={code}
            onValue={setCode}
            fault={fault}
            required
            autofocus
            maxLength={64}
          />
        ) : (
          <CodeField value={code} onValue={setCode} fault={fault} label={signIn.code} />
        )}
        <Button
          kind="quiet"
          onPress={() => {
            setRecovery(!isRecovery);
            setPressed(false);
            setCode("");
          }}
        >
          {isRecovery ? signIn.useCode : signIn.useRecovery}
        </Button>
      </Form>
    </Dialog>
  );
}

function NotTaken({ problem }: { readonly problem: Problem }) {
  if (problem.code !== "CODE_REFUSED") return <ErrorBox problem={problem} />;
  return (
    <p class="error" role="alert">
      {words.value.confirm.refused}
    </p>
  );
}

type RowFound = Extract<SearchHit, { readonly kind: "row" }>;

/** Pause in typing before the server is asked. */
const PAUSE_MS = 150;

/** The path of the page of a hit. */
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

/** The note of a hit; of a batch that a number was left out of, which one and why. */
function noteOf(hit: SearchHit, isList: boolean): string {
  const { search } = words.value;
  switch (hit.kind) {
    case "left out":
      return search.leftOut({ time: hit.at, why: rejectionWord(hit.reason) });
    case "sent": {
      const told = search.sent({ state: stateWord(hit.status), time: hit.at });
      return hit.why === null ? told : figures.saying(labelled(told, hit.why));
    }
    case "no number": {
      const detail = isList ? search.list : figures.saying(hit.detail);
      if (hit.looked === null || hit.looked === 0) return detail;
      const looked = figures.number(hit.looked);
      return `${detail.replace(/\.$/, "")}. ${hit.is_all ? search.lookedAll({ count: looked }) : search.looked({ count: looked })}`;
    }
    case "row": {
      const row = search.row({ line: hit.line, time: hit.at });
      const told = hit.is_nearly ? search.nearly({ row }) : row;
      return hit.corrected === null ? told : `${told}. ${correctedWord(hit.corrected)}`;
    }
    case "rows":
      return search.rows({ count: search.rowCount(hit.rows), time: hit.at });
    default:
      return search.kinds[hit.kind];
  }
}

/** What was sent since for an unsent row. */
function correctedWord({ msisdn, status, at }: NonNullable<RowFound["corrected"]>): string {
  return rowWords.value.corrected({
    msisdn: figures.phone(msisdn),
    state: stateWord(status).toLowerCase(),
    time: at,
  });
}

/** The state of the search box: the request while somebody types, and what Enter opens. */
function useSearch() {
  const pending = useRef(() => {});
  const latest = useRef("");
  const [hits, setHits] = useState<readonly SearchHit[] | null>(null);
  const [isFailed, setFailed] = useState(false);
  const [chosen, setChosen] = useState(0);
  /** The text that the shown hits belong to. */
  const shown = useRef("");
  /** The text for which Enter was pressed before its hits came. */
  const entered = useRef<{ readonly text: string; readonly input: HTMLInputElement } | null>(null);
  const look = async (text: string): Promise<void> => {
    const answer = await callApi("GET /search", { query: { q: text } });
    if (latest.current !== text) return;
    const found = answer.ok ? sortHits(answer.value.hits) : [];
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
  /** Opens the chosen hit; what was typed a moment ago is searched at once, and opened where it means one place. */
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
  /** A place was opened by a press: the box is cleared for the next search. */
  const opened = (input: HTMLInputElement | null): void => {
    if (input) input.value = "";
    latest.current = "";
    leave();
  };
  return { hits, isFailed, chosen, setChosen, type, enter, leave, opened };
}

/** One box for a number, an id, a name: arrows choose, Enter opens, Escape leaves. */
function SearchBox() {
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
  const isList = opensList(hits ?? []);
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
            <span>{figures.phone(hit.title)}</span>
            <span class="note">{noteOf(hit, isList)}</span>
          </a>
        ))}
      </div>
      {(hits?.length ?? 0) > 1 && <p class="note">{search.howToChoose}</p>}
    </div>
  );
}

// What keys do anywhere: `/` searches, `?` explains, `g` and a letter goes to a page. Not while somebody types.

const isHelpOpen = signal(false);

/** How long the letter after `g` is waited for. */
const CHORD_MS = 1500;
let isGoing = false;
let forget = () => {};

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea, dialog") !== null;
}

function press(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (isGoing) {
    isGoing = false;
    forget();
    const page = entries().find(({ letter }) => letter === event.key);
    if (page) go(page.to);
    return;
  }
  switch (event.key) {
    case "/":
      event.preventDefault();
      document.getElementById("search")?.focus();
      return;
    case "?":
      isHelpOpen.value = true;
      return;
    case "g":
      isGoing = true;
      forget = after(CHORD_MS, () => {
        isGoing = false;
      });
  }
}

function followKeys(): () => void {
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** The pages that the signed-in user may open, by group. */
function entries() {
  return PAGES.flatMap(({ path: to, capability, entry }) =>
    entry !== null && (capability === null || may(capability)) ? [{ to, ...entry }] : [],
  );
}

/** Account users have one group for what is about their account. */
function groupFor(group: NavigationGroup): NavigationGroup {
  const isTheirs = group === "clients" || group === "appliance";
  return me.value?.account && isTheirs ? "account" : group;
}

/** The list of pages. */
function Navigation() {
  const text = words.value;
  const groups = Map.groupBy(entries(), ({ group }) => groupFor(group));
  const owner = pageHere()?.under?.();
  return (
    <nav id="menu" aria-label={text.menu}>
      {[...groups].map(([group, pages]) => (
        <div key={group}>
          {group !== "home" && group !== "you" && <p class="group">{text.navigation[group]}</p>}
          <ul>
            {pages.map(({ to, name }) => (
              <li key={to}>
                <a href={to} aria-current={path.value === to ? "page" : to === owner ? "true" : undefined}>
                  {name(text)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
