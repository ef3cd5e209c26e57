/** The way to the page that connects an operator. */
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { words } from "../../words/words.ts";

/** A link to connecting an operator, for those who may; `isFirst`: there is none yet. */
export function NewOperatorLink({ isFirst }: { readonly isFirst: boolean }) {
  if (!may("appliance.change")) return null;
  const { start } = words.value;
  return (
    <a class="button" href={`${HOME}/operators/new`}>
      {isFirst ? start.connectFirst : start.connectAnother}
    </a>
  );
}
