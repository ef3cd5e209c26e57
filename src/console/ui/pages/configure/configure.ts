/** Loaded when the first page about what the console writes is opened. */

export { Settings } from "./settings.tsx";
export { WrittenOperator } from "./written-operator.tsx";
