/** Why a batch was not quoted or sent, and what helps. */
import type { Problem } from "../../api/client.ts";
import { Alert, ErrorBox } from "../../kit/kit.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import type { ShownQuote } from "./use-quote.ts";

/** Why something was refused: in the server's own words where it was about the upload. */
export function Refusal({ problem, title }: { readonly problem: Problem; readonly title?: string }) {
  const isTheirs = [409, 413, 422].includes(problem.status) && problem.detail !== "";
  if (!isTheirs) return <ErrorBox problem={problem} />;
  const help = payHelp(problem.code);
  return (
    <div class="error" role="alert">
      {title && <p class="error-title">{title}</p>}
      {help === null ? <p>{problem.detail}</p> : <NotPaid detail={problem.detail} help={help} />}
    </div>
  );
}

/** The wallet no longer covers the quote; where its amounts are not the reader's, the title says all. */
function NotPaid({ detail, help }: { readonly detail: string; readonly help: string }) {
  const { unpayable } = sending.value.check;
  const why = figures.saying(detail);
  return (
    <>
      <p class="error-title">{unpayable}</p>
      {why !== unpayable && <p>{`${why}.`}</p>}
      <p>{help}</p>
    </>
  );
}

type Help = ReturnType<typeof readRemediations>;
type Code = keyof Help;

function readRemediations() {
  return sending.value.check.payHelp;
}

function isOfMoney(code: string): code is Code {
  return Object.hasOwn(readRemediations(), code);
}

/** What helps where the wallet does not suffice; null where something else is the matter. */
function payHelp(code: string): string | null {
  return isOfMoney(code) ? readRemediations()[code] : null;
}

type Quoted = Pick<ShownQuote, "amount" | "missing" | "spendable_before">;
type UnpayableProps = { readonly quote: Quoted; readonly refusal: NonNullable<ShownQuote["refusal"]> };

/** The wallet does not suffice: the cost, the balance and what is missing, as far as the reader may know, and what helps. */
export function PaymentRefused({ quote, refusal }: UnpayableProps) {
  const { check: words } = sending.value;
  const { amount, missing, spendable_before: before } = quote;
  const isKnown = before !== null || missing === null;
  const why = isKnown ? `${figures.saying(refusal.detail)}.` : words.lacks({ cost: amount, missing });
  return (
    <Alert title={words.unpayable}>
      <p>{why}</p>
      <p>{payHelp(refusal.code)}</p>
    </Alert>
  );
}
