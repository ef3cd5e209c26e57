/** Buttons of the console. */
import type { ComponentChildren } from "preact";

export type ButtonKind = "primary" | "plain" | "danger" | "quiet";

type ButtonProps = {
  readonly kind?: ButtonKind;
  readonly submits?: boolean;
  /** While its action is under way: it cannot be pressed again. */
  readonly busy?: boolean;
  readonly label?: string;
  readonly onPress?: () => unknown;
  readonly children: ComponentChildren;
};

/** Something to press. One primary button a page. */
export function Button({
  kind = "plain",
  submits = false,
  busy = false,
  label,
  onPress,
  children,
}: ButtonProps) {
  return (
    <button
      type={submits ? "submit" : "button"}
      class={`button ${kind}`}
      aria-disabled={busy}
      aria-label={label}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else void onPress?.();
      }}
    >
      {children}
    </button>
  );
}
