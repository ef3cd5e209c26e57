/**
 * What pages are made of, in one list. Heavier parts, which only pages that are loaded later need, are imported by their files:
 * hidden texts, names of settings, QR codes.
 */
export { Badge, StateBadge, type Tone } from "./badge.tsx";
export { Button, type ButtonKind } from "./button.tsx";
export { type BarPart, Chart, type ChartLine, StackedBars } from "./chart.tsx";
export { Confirm, Dialog, DialogButton, Form, FormDialog, ReasonDialog } from "./dialog.tsx";
export { ErrorBox, Loaded } from "./error-box.tsx";
export { Area, Checkbox, Choice, type ChoiceOption, CodeField, Field, Radios, toOptions } from "./field.tsx";
export { Filter, FilterBar, filter, filtersNamed } from "./filter-bar.tsx";
export { Alert, AllClear, type Crumb, Empty, MenuPage, Note, Notice, Page, Section, Tabs } from "./page.tsx";
export {
  filtersAndPeriod,
  MomentField,
  monthOptions,
  PeriodFilter,
  periodAsked,
  today,
} from "./period-filter.tsx";
export { Progress, type ProgressShare } from "./progress.tsx";
export { Facts, Stat, Stats, WithNote } from "./stat.tsx";
export {
  type Column,
  type Columns,
  column,
  countColumn,
  ListTable,
  moneyColumn,
  numberColumn,
  Table,
  TableSection,
  timeColumn,
} from "./table.tsx";
export { Term } from "./term.tsx";
export { type Moment, Timeline } from "./timeline.tsx";
export { showToast, Toasts } from "./toast.tsx";
