/** Filters of a list, which stand in the address of its page. */
import { type ComponentChildren, toChildArray } from "preact";
import { useState } from "preact/hooks";
import { filterBy, query } from "../state/router.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Choice, type ChoiceOption, Field } from "./field.tsx";

type FilterProps = {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  /** Values to choose from; without them it is a text field. */
  readonly options?: readonly ChoiceOption[];
  /** The option in force where none is chosen; without it there is one more, for all. */
  readonly usual?: string;
  readonly maxLength?: number;
  /** What is wrong with what was typed, in words. */
  readonly fault?: string | null;
};

/** One filter, kept in the address. */
export function Filter({ name, label, options, usual, maxLength, fault = null }: FilterProps) {
  const value = query.value.get(name) ?? usual ?? "";
  const set = (text: string) => filterBy({ [name]: text === usual ? "" : text });
  if (!options) {
    return (
      <Field
        label={label}
        name={name}
        value={value}
        onValue={set}
        fault={fault}
        autocomplete="on"
        maxLength={maxLength}
      />
    );
  }
  const all = usual === undefined ? [{ value: "", label: "–" }, ...options] : options;
  return <Choice label={label} value={value} options={all} onValue={set} />;
}

/** Filters shown before a list on a telephone; the others are a press away. */
const FEW = 2;

type FilterBarProps = {
  readonly children: ComponentChildren;
  /** What is filtered, where a page has more than one list. */
  readonly of?: string;
};

/** The filters of a list. Its address can be sent to a colleague. */
export function FilterBar({ children, of }: FilterBarProps) {
  const names = [...query.value.keys()];
  const [isOpen, setOpen] = useState(names.length > 0);
  const isLong = toChildArray(children).length > FEW;
  return (
    <section
      class={isOpen || !isLong ? "filters" : "filters few"}
      aria-label={of === undefined ? words.value.filters : `${words.value.filters} · ${of}`}
    >
      {children}
      {isLong && (
        <span class="fold">
          <Button kind="quiet" onPress={() => setOpen(!isOpen)}>
            {isOpen ? words.value.fewerFilters : words.value.moreFilters}
          </Button>
        </span>
      )}
      {names.length > 0 && (
        <Button kind="quiet" onPress={() => filterBy(Object.fromEntries(names.map((name) => [name, ""])))}>
          {words.value.clearFilters}
        </Button>
      )}
    </section>
  );
}

// Shared by several pages about traffic.

/** A filter of the address; undefined where it is not set. */
export function filter(name: string): string | undefined {
  const value = query.value.get(name)?.trim();
  return value === "" ? undefined : value;
}

/** Filters of the address for a request, and the key by which a list knows that they changed. */
export function filtersNamed<Name extends string>(...names: readonly Name[]) {
  const given = names.flatMap((name) => {
    const value = filter(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    asked: Object.fromEntries(given) as { readonly [Each in Name]?: string },
    key: JSON.stringify(given),
  };
}
