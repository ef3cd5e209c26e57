/** Loaded with the first page about one message, one batch or an operator; the lists of messages and batches are there at once. */
export { Batch } from "./batch.tsx";
export { BatchReport } from "./batch-report.tsx";
export { Inbound } from "./inbound.tsx";
export { Message } from "./message.tsx";
export { Operator, Operators } from "./operators.tsx";
export { Queue } from "./queue.tsx";
export { Suppressions } from "./suppressions.tsx";
export { Templates } from "./templates.tsx";
export { UnknownOutcomes } from "./unknown-outcomes.tsx";
