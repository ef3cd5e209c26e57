/** Words of the trade, which explain themselves. */
import { useId } from "preact/hooks";
import { words } from "../words/words.ts";

type TermProps = {
  readonly children: string;
} & ({ readonly of: keyof typeof words.value.glossary } | { readonly says: string });

/** A technical term; its meaning is shown on hover and on focus, and read out with it. `says`: a meaning in the page's own words. */
export function Term({ children, ...meaning }: TermProps) {
  const id = useId();
  return (
    <span class="term">
      <button type="button" aria-describedby={id}>
        {children}
      </button>
      <span role="tooltip" id={id}>
        {"says" in meaning ? meaning.says : words.value.glossary[meaning.of]}
      </span>
    </span>
  );
}
