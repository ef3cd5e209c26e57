/** Figures with captions, and values with names. */
import type { ComponentChildren } from "preact";
import { figures } from "../words/words.ts";

type StatProps = {
  readonly label: ComponentChildren;
  /** A whole number is written in the reader's way. */
  readonly value: string | number;
  readonly note?: ComponentChildren;
  /** Whether it is no figure, such as a day and an hour: words are not set as large. */
  readonly isText?: boolean;
};

/** One figure with what it means. */
export function Stat({ label, value, note, isText = false }: StatProps) {
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd>
        <WithNote note={note}>
          <span class={isText ? "figure text" : "figure"}>
            {typeof value === "number" ? figures.number(value) : value}
          </span>
        </WithNote>
      </dd>
    </div>
  );
}

type WithNoteProps = { readonly note: ComponentChildren; readonly children: ComponentChildren };

/** A value with a note beside it, where there is one. */
export function WithNote({ note, children }: WithNoteProps) {
  return (
    <>
      {children}
      {note && <span class="note">{note}</span>}
    </>
  );
}

/** Figures beside each other. */
export function Stats({ children }: { readonly children: ComponentChildren }) {
  return <dl class="stats">{children}</dl>;
}

type FactsProps = { readonly rows: readonly (readonly [string, ComponentChildren] | false)[] };

/** Names and values under each other, read like a form that was filled in; what the reader may not see is false. */
export function Facts({ rows }: FactsProps) {
  return (
    <dl class="facts">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
