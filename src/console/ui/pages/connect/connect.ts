/** What is loaded when the first page about connecting is opened. */
export { First } from "./first.tsx";
export { NewOperator } from "./new-operator.tsx";
