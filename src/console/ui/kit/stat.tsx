import type { ComponentChildren } from "preact";

type StatProps = {
  readonly label: ComponentChildren;
  readonly value: string;
  readonly note?: ComponentChildren;
};

/** One figure with what it means. */
export function Stat({ label, value, note }: StatProps) {
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd>
        <WithNote note={note}>
          <span class="figure">{value}</span>
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

/** Names and values under each other, read like a form that was filled in. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
