/**
 * Form controls of the console: text line, text area, select, radio buttons and one-time code, with hint and fault tied to
 * each for screen readers.
 */
import type {
  ComponentChildren,
  InputHTMLAttributes,
  PartialInputHTMLAttributes,
  TextareaHTMLAttributes,
} from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type FieldProps = {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** What helps to fill it in. */
  readonly hint?: string | undefined;
  /** What is wrong with it, in words. */
  readonly fault?: string | null;
};

/** Everything else that a browser's field takes; it suggests nothing that was typed before, unless it is told to. */
type LineProps = FieldProps &
  Omit<PartialInputHTMLAttributes<HTMLInputElement>, keyof FieldProps | "id"> & {
    /** The id of a list of suggestions. */
    readonly list?: string;
  };

/** A labelled line to type in, with its hint and its fault read out together with it. */
export function Field({ label, value, onValue, hint, fault = null, ...input }: LineProps) {
  const id = useId();
  const line = useRef<HTMLInputElement>(null);
  const isFirst = input.autofocus === true;
  useEffect(() => {
    if (isFirst) line.current?.focus();
  }, [isFirst]);
  const described = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return (
    <div class={fault ? "field faulty" : "field"}>
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        autocomplete="off"
        {...(input as InputHTMLAttributes<HTMLInputElement>)}
        ref={line}
        id={id}
        value={value}
        aria-invalid={fault !== null}
        aria-describedby={described || undefined}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

type AreaProps = Pick<FieldProps, "label" | "name" | "value" | "onValue" | "hint"> & {
  /** What is wrong with it, each in words. */
  readonly faults?: readonly string[];
  readonly area?: TextareaHTMLAttributes<HTMLTextAreaElement>;
};

/** The same with several lines. */
export function Area({ label, name, value, onValue, hint, faults = [], area = {} }: AreaProps) {
  const id = useId();
  const isFaulty = faults.length > 0;
  const described = [hint ? `${id}-hint` : "", isFaulty ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return (
    <div class={isFaulty ? "field faulty" : "field"}>
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <textarea
        {...area}
        id={id}
        name={name}
        value={value}
        spellcheck={false}
        aria-invalid={isFaulty}
        aria-describedby={described || undefined}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {isFaulty && (
        <ul class="fault" id={`${id}-fault`}>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

export type ChoiceOption<Value extends string = string> = {
  readonly value: Value;
  readonly label: string;
  /** Heading of its group; options of one group follow each other. */
  readonly group?: string;
  /** Longer help: shown of the chosen option, and of others on hover. */
  readonly help?: string;
};

/** Options with the words of their values. */
export function toOptions<Value extends string>(
  values: readonly Value[],
  wordOf: (value: Value) => string,
): readonly ChoiceOption<Value>[] {
  return values.map((value) => ({ value, label: wordOf(value) }));
}

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly name?: string;
  readonly value: Value;
  readonly options: readonly ChoiceOption<Value>[];
  readonly onValue: (value: Value) => void;
};

/** A choice of one option. */
export function Choice<Value extends string>({ label, name, value, options, onValue }: ChoiceProps<Value>) {
  const id = useId();
  const help = options.find((one) => one.value === value)?.help;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        aria-describedby={help ? `${id}-help` : undefined}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex];
          if (chosen) onValue(chosen.value);
        }}
      >
        {[...Map.groupBy(options, ({ group }) => group)].map(([group, own]) =>
          group === undefined ? (
            own.map(optionOf)
          ) : (
            <optgroup key={group} label={group}>
              {own.map(optionOf)}
            </optgroup>
          ),
        )}
      </select>
      {help && (
        <p class="hint" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

function optionOf({ value, label, help }: ChoiceOption) {
  return (
    <option key={value} value={value} title={help}>
      {label}
    </option>
  );
}

type CodeProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** What is wrong with it, in words. */
  readonly fault?: string | null;
  /** Whether it gets the focus first. */
  readonly isFirst?: boolean;
};

/** The six digits of an authenticator app; other characters are dropped, as in a code that was pasted with a blank. */
export function CodeField({ label, value, onValue, fault = null, isFirst = true }: CodeProps) {
  return (
    <Field
      label={label}
      name="code"
      value={value}
      fault={fault}
      onValue={(text) => onValue(text.replaceAll(/\D/g, "").slice(0, 6))}
      inputMode="numeric"
      autocomplete="one-time-code"
      required
      pattern="[0-9]{6}"
      autofocus={isFirst}
      class="code"
    />
  );
}

type RadiosProps<Value extends string> = {
  readonly name: string;
  readonly legend: string;
  /** What helps to choose; with it the legend is seen too. */
  readonly hint?: string;
  /** Null while none is chosen. */
  readonly value: Value | null;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly help?: string }[];
  readonly onValue: (value: Value) => void;
  /** Beside each other, where there is room. */
  readonly isRow?: boolean;
  /** One must be chosen: a question of a form, whose legend is seen. */
  readonly isRequired?: boolean;
};

/** A choice of one option, all of them visible with what they mean. */
export function Radios<Value extends string>({
  name,
  legend,
  hint,
  value,
  options,
  onValue,
  isRow = false,
  isRequired = false,
}: RadiosProps<Value>) {
  return (
    <fieldset class={isRow ? "radios row" : "radios"}>
      <legend class={hint === undefined && !isRequired ? "unseen" : "seen"}>{legend}</legend>
      {hint && <p class="hint">{hint}</p>}
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? "radio chosen" : "radio"}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            required={isRequired}
            onChange={() => onValue(option.value)}
          />
          <span>
            <span class="radio-label">{option.label}</span>
            {option.help && <span class="note">{option.help}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type CheckboxProps = {
  readonly name?: string;
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
  readonly children: ComponentChildren;
};

/** A single box to tick, with what that means. */
export function Checkbox({ name, isChecked, onChecked, children }: CheckboxProps) {
  return (
    <label>
      <input
        type="checkbox"
        name={name}
        checked={isChecked}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />{" "}
      {children}
    </label>
  );
}
