import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { form } from "./form.ts";
import { reachOf } from "./reach.ts";
import type { ShownQuote } from "./use-quote.ts";

/** Texts that fail because their operator does not know the sender: said before anything is sent, with what becomes of them and what helps. */
export function Unregistered({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const { sent, lost, held } = reachOf(quote);
  if (lost === 0) return null;
  const sender = form.value.sender ?? "";
  return (
    <div class="error" role="alert">
      {quote.by_operator.map(({ operator, name, messages, is_registered: isKnown }) =>
        isKnown || messages === 0 ? null : (
          <p key={operator} class="error-title">
            {words.unregistered({ people: figures.number(messages), operator: name, sender })}
          </p>
        ),
      )}
      <p>{sent === 0 ? words.nobodyRegistered : words.unregisteredHelp({ held: figures.money(held) })}</p>
      {may("senders.decide") ? (
        <p>
          <a href={`${HOME}/senders`}>{words.toSenders}</a>
        </p>
      ) : (
        <p>{words.askToRegister}</p>
      )}
    </div>
  );
}
