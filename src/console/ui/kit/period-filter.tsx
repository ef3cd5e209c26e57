/** The period of a list or a report, picked by name or by its days, and instants picked from a few that are usual. */
import { useState } from "preact/hooks";
import { nowMs } from "../browser.ts";
import { dayBeside, isDay, LIST_PERIODS, type Period, periodNamed, spanOfPeriod } from "../state/period.ts";
import { timezone } from "../state/preferences.ts";
import { filterBy, query } from "../state/router.ts";
import { figures, words } from "../words/words.ts";
import { Choice, type ChoiceOption, Field, toOptions } from "./field.tsx";
import { filter, filtersNamed } from "./filter-bar.tsx";

/** The day of the calendar on which the reader is. */
export function today(): string {
  // Sweden writes days as ISO 8601 does.
  return new Intl.DateTimeFormat("sv-SE", { timeZone: timezone.value }).format(nowMs());
}

/** What the address names for days of one's own. */
const OWN = "own";

type PeriodFilterProps = {
  readonly offered?: readonly Period[];
  /** The period in force where none is chosen; without it there is one more, for all. */
  readonly usual?: Period;
  /** Whether it always goes on until now: the list has no end to ask for. */
  readonly isOpenEnded?: boolean;
};

/** A period by its name, or by its first and last day. */
export function PeriodFilter({ offered = LIST_PERIODS, usual, isOpenEnded = false }: PeriodFilterProps) {
  const { period: text } = words.value;
  const isOwn = isOwnPeriod();
  const fit = isOpenEnded ? offered.filter((one) => spanOfPeriod(one, today()).to === null) : offered;
  const named = toOptions(fit, (one) => text.names[one]);
  const all = usual === undefined ? [{ value: "", label: text.all }] : [];
  const chosen = isOwn ? OWN : (filter("period") ?? usual ?? "");
  return (
    <>
      <Choice<string>
        label={text.label}
        value={chosen}
        options={[...all, ...named, { value: OWN, label: text.own }]}
        onValue={(value) => choose(value, value === usual ? "" : value)}
      />
      {isOwn && <DayField name="from" label={isOpenEnded ? text.from : text.firstDay} />}
      {isOwn && !isOpenEnded && <DayField name="to" label={text.lastDay} />}
    </>
  );
}

/** Days of one's own begin with those of the period before. */
function choose(value: string, inAddress: string): void {
  if (value !== OWN) {
    filterBy({ period: inAddress, from: "", to: "" });
    return;
  }
  const span = periodNamed(filter("period"));
  const { from, to } = span === undefined ? { from: "", to: "" } : spanOfPeriod(span, today());
  filterBy({ period: OWN, from, to: to ?? (from === "" ? "" : today()) });
}

function DayField({ name, label }: { readonly name: "from" | "to"; readonly label: string }) {
  const value = query.value.get(name) ?? "";
  return (
    <Field
      label={label}
      name={name}
      type="date"
      value={isDay(value) ? value : ""}
      onValue={(day) => filterBy({ [name]: day })}
    />
  );
}

function isOwnPeriod(): boolean {
  return filter("period") === OWN || filter("from") !== undefined || filter("to") !== undefined;
}

/** What the address asks for: it has days, both included, and a request takes the instant after the last. */
export function periodAsked(usual?: Period): { readonly from?: string; readonly to?: string } {
  if (isOwnPeriod()) {
    const [from, to] = [filter("from"), filter("to")];
    return {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to: isDay(to) ? dayBeside(to, 1) : to }),
    };
  }
  const period = periodNamed(filter("period")) ?? usual;
  if (period === undefined) return {};
  const { from, to } = spanOfPeriod(period, today());
  return to === null ? { from } : { from, to: dayBeside(to, 1) };
}

/** Filters of the address and its period for a request, and the key by which a list knows that they changed. */
export function filtersAndPeriod<Name extends string>(...names: readonly Name[]) {
  const asked = { ...filtersNamed(...names).asked, ...periodAsked() };
  return { asked, key: JSON.stringify(asked) };
}

type MomentFieldProps = {
  readonly label: string;
  readonly name: string;
  /** Instants by how far off they are, `2h`. */
  readonly usual: readonly ChoiceOption[];
  readonly value: string;
  readonly onValue: (value: string) => void;
};

/** An instant: one of a few that are usual, or a day and a time in the reader's zone. */
export function MomentField({ label, name, usual, value, onValue }: MomentFieldProps) {
  const [isOwn, setOwn] = useState(false);
  const { period: text } = words.value;
  return (
    <>
      <Choice<string>
        label={label}
        name={name}
        value={isOwn ? OWN : value}
        options={[...usual, { value: OWN, label: text.ownMoment }]}
        onValue={(chosen) => {
          setOwn(chosen === OWN);
          onValue(chosen === OWN ? "" : chosen);
        }}
      />
      {isOwn && (
        <Field
          label={text.moment}
          name={`${name}-at`}
          type="datetime-local"
          value={value}
          onValue={onValue}
          required
        />
      )}
    </>
  );
}

/** Months to choose from, by their names; that of the address stays among them. */
export function monthOptions(months: readonly string[], chosen: string): readonly ChoiceOption[] {
  const all = months.includes(chosen) ? months : [...months, chosen];
  return toOptions(all, figures.monthName);
}
