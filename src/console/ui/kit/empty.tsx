import type { ComponentChildren } from "preact";

type EmptyProps = { readonly title: string; readonly children?: ComponentChildren };

/** Stands where nothing is yet, and teaches what would be here. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  );
}
