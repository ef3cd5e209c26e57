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
        <span class="figure">{value}</span>
        {note && <span class="note">{note}</span>}
      </dd>
    </div>
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
