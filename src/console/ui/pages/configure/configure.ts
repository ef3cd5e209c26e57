/** Loaded when the first page about what the console writes is opened. */

export { AddRoute } from "./add-route.tsx";
export { Settings } from "./settings.tsx";
export { WrittenOperator } from "./written-operator.tsx";
