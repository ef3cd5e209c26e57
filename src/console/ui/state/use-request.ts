/** What a page loads from the server: when it opens or its filters change, and again when something was done. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiAnswer, callApi, type Given, type Problem } from "../api/client.ts";
import type { Answer, Contract } from "../api/contract.ts";
import { every } from "../browser.ts";
import { showToast } from "../kit/toast.tsx";

type Loaded<Value> = {
  /** Null before the first answer. */
  readonly value: Value | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
};

/** Loads by `load` whenever `key` changes; of two answers under way the later request counts. Null: there is nothing to ask. */
export function useRequest<Value>(key: string, load: () => Promise<ApiAnswer<Value>> | null): Loaded<Value> {
  const [value, setValue] = useState<Value | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isLoading, setLoading] = useState(true);
  const asked = useRef(0);
  const reload = async (): Promise<void> => {
    asked.current += 1;
    const number = asked.current;
    setLoading(true);
    const answer = (await load()) ?? { ok: true, value: null };
    if (number !== asked.current) return;
    setLoading(false);
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) setValue(answer.value);
  };
  useEffect(() => void reload(), [key]);
  return { value, problem, isLoading, reload };
}

type Listed<Row, Page> = {
  readonly rows: readonly Row[];
  /** The last page that came; null before the first. */
  readonly page: Page | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  /** Loads the next page; null where there is none. */
  readonly more: (() => void) | null;
  readonly reload: () => void;
};

/** Asks a route, and again whenever what is asked or `version` changes. Null: there is nothing to ask. */
export function useAnswer<Name extends keyof Contract>(
  name: Name,
  ...[asking, version]: [...Given<Name, null>, version?: unknown]
): Loaded<Answer<Name>> {
  return useRequest(JSON.stringify([name, asking, version]), () =>
    asking === null ? null : callApi(name, ...([asking] as Given<Name>)),
  );
}

/** The rows of what is loaded at once, as a list; it is shown as loading before the first answer alone. */
export function toList<Value, Row>(
  { value, problem, isLoading, reload }: Loaded<Value>,
  rowsOf: (value: Value) => readonly Row[],
) {
  const rows = value === null ? [] : rowsOf(value);
  return { rows, problem, isLoading: isLoading && value === null, more: null, reload };
}

type ListQuestion<Row, Page> = {
  /** Another text means another list. */
  readonly key: string;
  /** Loads a page from a cursor on; the first without one. */
  readonly load: (cursor: string | undefined) => Promise<ApiAnswer<Page>>;
  readonly rowsOf: (page: Page) => readonly Row[];
  /** The cursor of the next page; null on the last. */
  readonly nextOf: (page: Page) => string | null;
};

/** A list that comes page by page, by cursor. */
export function useList<Row, Page>({
  key,
  load,
  rowsOf,
  nextOf,
}: ListQuestion<Row, Page>): Listed<Row, Page> {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [page, setPage] = useState<Page | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isLoading, setLoading] = useState(true);
  const asked = useRef(0);
  const fetchPage = async (before: readonly Row[], cursor: string | undefined): Promise<void> => {
    asked.current += 1;
    const number = asked.current;
    setLoading(true);
    const answer = await load(cursor);
    if (number !== asked.current) return;
    setLoading(false);
    setProblem(answer.ok ? null : answer.problem);
    setRows(answer.ok ? [...before, ...rowsOf(answer.value)] : before);
    if (answer.ok) setPage(answer.value);
  };
  const reload = (): void => void fetchPage([], undefined);
  useEffect(reload, [key]);
  const next = page === null ? null : nextOf(page);
  return {
    rows,
    page,
    problem,
    isLoading,
    reload,
    more: next === null ? null : () => void fetchPage(rows, next),
  };
}

/** How often ongoing work is polled. */
const LOOKED_EVERY_MS = 2000;

/** Polls every two seconds as long as something goes on, while the page is seen. The page shows what fails. */
export function usePollWhile(goesOn: boolean, reload: () => void): void {
  useEffect(() => {
    if (!goesOn) return;
    const look = (): void => {
      if (document.visibilityState !== "hidden") reload();
    };
    return every(LOOKED_EVERY_MS, look);
  }, [goesOn]);
}

/** What a reader asks to be done: why the server refused it the last time. */
export type Action = {
  readonly problem: Problem | null;
  /** Waits for the answer, and says for a moment what was done. Null where it was refused: `problem` has why. */
  readonly run: <Value>(asked: Promise<ApiAnswer<Value>>, told?: string) => Promise<Value | null>;
};

export function useAction(): Action {
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = async <Value>(asked: Promise<ApiAnswer<Value>>, told?: string): Promise<Value | null> => {
    const answer = await asked;
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return null;
    if (told !== undefined) showToast(told);
    return answer.value;
  };
  return { problem, run };
}
