/** Quotes a batch as it is written, and sends it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiAnswer, callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { after } from "../../browser.ts";
import { form, toWantedBatch, type WantedBatch } from "./form.ts";
import { uploadAgain } from "./upload.ts";

export type ShownQuote = Answer<"POST /send/:account/quote">;

/** Exactly what was quoted, which is what is sent. */
export type Quoted = { readonly wanted: WantedBatch; readonly quote: ShownQuote };

/** How long nothing changes before it is quoted. */
const SETTLED_MS = 400;

const GONE: Problem = { status: 404, code: "NOT_FOUND", detail: "" };

/**
 * Quotes the request, anew whenever it or `round` changes; the last request counts. `isNow`: whether the quote is of the present one.
 */
export function useQuote(account: string, round: number) {
  const [answered, setAnswered] = useState<{ of: string; answer: ApiAnswer<Quoted> } | null>(null);
  const asked = useRef(0);
  /** One request at a time: those behind it wait here, and only the last of them is made. */
  const underWay = useRef<Promise<unknown>>(Promise.resolve());
  const { scheduledAt } = form.value;
  const typed = useRef(scheduledAt);
  // A file that is uploaded again has another id, and is the same.
  const wanted = JSON.stringify({ ...toWantedBatch(form.value), file: "", round });
  useEffect(() => {
    asked.current += 1;
    const mine = asked.current;
    const quote = async (): Promise<void> => {
      await underWay.current;
      if (mine !== asked.current) return;
      const answering = withFile((body) =>
        callApi("POST /send/:account/quote", { params: { account }, body }),
      );
      underWay.current = answering;
      const answer = await answering;
      if (mine === asked.current) setAnswered({ of: wanted, answer });
    };
    // A time is typed digit by digit; what was pressed for is worked out at once.
    const isTyped = typed.current !== scheduledAt;
    typed.current = scheduledAt;
    return after(isTyped ? SETTLED_MS : 0, () => void quote());
  }, [account, wanted]);
  const answer = answered?.answer ?? null;
  return {
    quoted: answer?.ok ? answer.value : null,
    problem: answer && !answer.ok ? answer.problem : null,
    isNow: answered?.of === wanted,
  };
}

async function withFile(
  quote: (wanted: WantedBatch) => Promise<ApiAnswer<ShownQuote>>,
): Promise<ApiAnswer<Quoted>> {
  for (let isAgain = false; ; isAgain = true) {
    const wanted = toWantedBatch(form.peek());
    if (wanted === null) return { ok: false, problem: GONE };
    const answer = await quote(wanted);
    if (answer.ok) return { ok: true, value: { wanted, quote: answer.value } };
    const isGone = answer.problem.status === 404;
    if (!isGone || isAgain || !(await uploadAgain())) return answer;
  }
}

/** Sends under the key of the form. A file that the server dropped meanwhile is uploaded again. */
export async function sendOnce(account: string, wanted: WantedBatch) {
  const { key } = form.peek();
  const send = (body: WantedBatch) =>
    callApi("POST /send/:account", { params: { account }, body: { ...body, key } });
  const answer = await send({ ...wanted, file: form.peek().file?.id ?? wanted.file });
  if (answer.ok || answer.problem.status !== 404 || !(await uploadAgain())) return answer;
  return send({ ...wanted, file: form.peek().file?.id ?? wanted.file });
}

/** What replacing rare characters saves over all who get the text. */
export type Saving = {
  readonly saved: number;
  /** How many different characters are replaced. */
  readonly characters: number;
  /** Whether values of columns hold some, which are replaced as the text is sent to each. */
  readonly isOfValues: boolean;
  /** Whether each has something in its place: then the text itself can be changed. */
  readonly isWhole: boolean;
};

/** How long nobody types before it is asked what would be saved: with many recipients it takes a moment. */
const TYPED_MS = 800;

/** Asks what replacing rare characters would save, once the form is complete; null while that is not known. */
export function useSaving(account: string | null, isWanted: boolean): Saving | null {
  const [answered, setAnswered] = useState<{ readonly of: string; readonly saving: Saving } | null>(null);
  const body = isWanted ? toWantedBatch(form.value) : null;
  const wanted = body === null ? null : JSON.stringify(body);
  useEffect(() => {
    if (account === null || body === null || wanted === null) return;
    let isLeft = false;
    const quote = async (): Promise<void> => {
      const answer = await callApi("POST /send/:account/quote", { params: { account }, body });
      if (!isLeft && answer.ok) setAnswered({ of: wanted, saving: toSaving(answer.value) });
    };
    const cancel = after(TYPED_MS, () => void quote());
    return () => {
      isLeft = true;
      cancel();
    };
  }, [account, wanted]);
  return answered !== null && answered.of === wanted ? answered.saving : null;
}

function toSaving({ rewritten, characters }: ShownQuote): Saving {
  return {
    saved: rewritten.saved,
    characters: new Set(characters.map(({ character }) => character)).size,
    isOfValues: characters.some(({ in: where }) => where !== "body"),
    isWhole: characters.every(({ replacement }) => replacement !== null),
  };
}
