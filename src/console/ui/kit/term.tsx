import { useId } from "preact/hooks";
import { words } from "../words/words.ts";

type TermProps = { readonly of: keyof typeof words.value.glossary; readonly children: string };

/** A word of the trade; what it means is shown on hover and on focus, and read out with it. */
export function Term({ of, children }: TermProps) {
  const id = useId();
  return (
    <span class="term">
      <button type="button" aria-describedby={id}>
        {children}
      </button>
      <span role="tooltip" id={id}>
        {words.value.glossary[of]}
      </span>
    </span>
  );
}
