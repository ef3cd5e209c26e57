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
};

/** One of a few, all of them seen with what they mean. */
export function Radios<Value extends string>({
  name,
  legend,
  hint,
  value,
  options,
  onValue,
  isRow = false,
}: RadiosProps<Value>) {
  return (
    <fieldset class={isRow ? "radios row" : "radios"}>
      <legend class={hint === undefined ? "unseen" : "seen"}>{legend}</legend>
      {hint && <p class="hint">{hint}</p>}
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? "radio chosen" : "radio"}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
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
