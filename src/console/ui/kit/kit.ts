/**
 * What pages are made of, in one list. Heavier parts, which only pages that are loaded later need, are imported by their files:
 * hidden texts, names of settings, QR codes.
 */
export { StateBadge, type Tone, ToneIcon } from "./badge.tsx";
export { Button, type ButtonKind } from "./button.tsx";
export { Chart, type ChartLine } from "./chart.tsx";
export { Confirm, Dialog, ReasonDialog } from "./dialog.tsx";
export { ErrorBox } from "./error-box.tsx";
export { Area, Choice, type ChoiceOption, CodeField, Field, Radios } from "./field.tsx";
export { Filter, FilterBar, filter, filtersNamed } from "./filter-bar.tsx";
export { AllClear, Empty, Page, Section } from "./page.tsx";
export { Progress, type ProgressShare } from "./progress.tsx";
export { Facts, Stat, Stats, WithNote } from "./stat.tsx";
export {
  type Column,
  type Columns,
  column,
  countColumn,
  moneyColumn,
  numberColumn,
  Table,
  timeColumn,
} from "./table.tsx";
export { Term } from "./term.tsx";
export { type Moment, Timeline } from "./timeline.tsx";
export { showToast, Toasts } from "./toast.tsx";
