import { Field } from "./field.tsx";

type CodeProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** What is wrong with it, in words. */
  readonly fault?: string | null;
  /** Whether the cursor begins here. */
  readonly isFirst?: boolean;
};

/** The six digits of an authenticator app; what is no digit is left out, as in a code that was pasted with a blank. */
export function CodeField({ label, value, onValue, fault = null, isFirst = true }: CodeProps) {
  return (
    <Field
      label={label}
      name="code"
      value={value}
      fault={fault}
      onValue={(text) => onValue(text.replaceAll(/\D/g, "").slice(0, 6))}
      input={{
        inputMode: "numeric",
        autocomplete: "one-time-code",
        required: true,
        pattern: "[0-9]{6}",
        autofocus: isFirst,
        class: "code",
      }}
    />
  );
}
