import type { AdminCommand } from "../command.ts";
import { OPERATOR_COMMANDS } from "./operator.ts";
import { QUEUE_COMMANDS } from "./queue.ts";

/** What goes to and comes from the operators. */
export const TRAFFIC_COMMANDS: readonly AdminCommand[] = [...QUEUE_COMMANDS, ...OPERATOR_COMMANDS];
