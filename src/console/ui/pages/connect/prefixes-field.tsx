import { useState } from "preact/hooks";
import { Area } from "../../kit/field.tsx";
import { connect } from "../../words/connect.ts";
import { figures } from "../../words/words.ts";
import type { DraftFault } from "./draft-faults.ts";
import { prefixesIn } from "./prefixes-in.ts";

type PrefixesProps = {
  readonly text: string;
  readonly fault: DraftFault | null;
  /** Whether the form was sent off already. */
  readonly isTried: boolean;
  readonly onText: (text: string) => void;
};

/** The prefixes as the sheet has them; what was understood of it as a list, and each piece that was not, with why. */
export function PrefixesField({ text, fault, isTried, onText }: PrefixesProps) {
  // Who is in the middle of "04 à 07" has done nothing wrong yet.
  const [wasLeft, setLeft] = useState(false);
  const words = connect.value;
  const { prefixes, misread } = prefixesIn(text);
  const pieces = misread.map(({ piece, why }) => words.misread[why]({ piece }));
  const faults = wasLeft || isTried ? pieces : [];
  const whole = fault === null ? [] : [words.faults[fault]];
  return (
    <div>
      <Area
        label={words.prefixes}
        name="prefixes"
        value={text}
        onValue={onText}
        hint={words.hints.prefixes}
        faults={[...new Set([...whole, ...faults])]}
        area={{
          required: true,
          rows: 3,
          maxLength: 2000,
          autocomplete: "off",
          onBlur: () => setLeft(true),
        }}
      />
      {prefixes.length > 0 && (
        <>
          <p class="note">{figures.count(prefixes.length, words.understood)}</p>
          <ul class="read-prefixes" aria-label={words.prefixes}>
            {prefixes.map((prefix) => (
              <li key={prefix}>{prefix}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
