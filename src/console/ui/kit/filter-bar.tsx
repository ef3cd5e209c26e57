import type { ComponentChildren } from "preact";
import { filterBy, query } from "../state/router.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Choice, Field } from "./field.tsx";

type FilterProps = {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  /** Values to choose from; without them it is typed. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
};

/** One filter, kept in the address. */
export function Filter({ name, label, options }: FilterProps) {
  const value = query.value.get(name) ?? "";
  const set = (text: string) => filterBy({ [name]: text });
  if (!options) return <Field label={label} name={name} value={value} onValue={set} />;
  const all = [{ value: "", label: "–" }, ...options];
  return <Choice label={label} value={value} options={all} onValue={set} />;
}

/** The filters of a list. Its address can be sent to a colleague. */
export function FilterBar({ children }: { readonly children: ComponentChildren }) {
  const names = [...query.value.keys()];
  return (
    <section class="filters" aria-label={words.value.filters}>
      {children}
      {names.length > 0 && (
        <Button kind="quiet" onPress={() => filterBy(Object.fromEntries(names.map((name) => [name, ""])))}>
          {words.value.clearFilters}
        </Button>
      )}
    </section>
  );
}
