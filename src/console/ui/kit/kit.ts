/** The components of pages, in one list. */
export { StateBadge } from "./badge.tsx";
export { Button } from "./button.tsx";
export { Chart } from "./chart.tsx";
export { Confirm, Dialog } from "./dialog.tsx";
export { ErrorBox } from "./error-box.tsx";
export { Area, Choice, Field } from "./field.tsx";
export { Filter, FilterBar } from "./filter-bar.tsx";
export { AllClear, Empty, Page, Section } from "./page.tsx";
export { Progress } from "./progress.tsx";
export { Stat, Stats } from "./stat.tsx";
export { type Column, Table } from "./table.tsx";
export { Term } from "./term.tsx";
export { type Moment, Timeline } from "./timeline.tsx";
export { showToast } from "./toast.tsx";
