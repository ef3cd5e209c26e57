/** The field for an operator's prefixes as its sheet has them: what was understood as a list, and each piece that was not, with why. */
import { useState } from "preact/hooks";
import { Area, Note } from "../../kit/kit.ts";
import { connect } from "../../words/connect.ts";
import { parsePrefixes } from "./parse-prefixes.ts";

type PrefixesProps = {
  readonly text: string;
  /** What is wrong with all of it. */
  readonly fault: string | null;
  /** Whether the form was submitted already. */
  readonly isTried: boolean;
  readonly onText: (text: string) => void;
};

export function PrefixesField({ text, fault, isTried, onText }: PrefixesProps) {
  // A half-typed "04 à 07" is no fault yet.
  const [wasLeft, setLeft] = useState(false);
  const words = connect.value;
  const { prefixes, misread } = parsePrefixes(text);
  const pieces = misread.map(({ piece, why }) => words.misread[why]({ piece }));
  const faults = wasLeft || isTried ? pieces : [];
  return (
    <div>
      <Area
        label={words.prefixes}
        name="prefixes"
        value={text}
        onValue={onText}
        hint={words.hints.prefixes}
        faults={[...new Set([...(fault === null ? [] : [fault]), ...faults])]}
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
          <Note>{words.understood(prefixes.length)}</Note>
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
