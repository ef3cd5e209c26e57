/** Loaded when the first page about connecting is opened. */

export { NewOperator } from "./new-operator.tsx";
export { First } from "./onboarding.tsx";
