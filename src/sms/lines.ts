/**
 * The channel SMS: a line for each operator of the configuration, over its SMPP connections.
 *
 * On the way out, `operator-line.ts` puts a line together: `pump.ts` says when it looks for work, `outboxes.ts` turns a
 * claimed message into `submit_sm` and writes them, `flights.ts` keeps those that are under way, and `flight-ends.ts` writes
 * down what came of each: an answer (`answered.ts`) or none. A submit without an answer is in doubt (`doubts.ts`).
 *
 * On the way in, `incoming.ts` tells receipts from texts. `receipt-match.ts` finds the segment that a receipt is about; one
 * that fits nobody is parked (`parked-receipts.ts`) until it does. A text goes to the room inbound.
 *
 * The room may write its own tables and hand facts to messages. It moves no money and no status itself. What the operator
 * may have is never forgotten: it is written down before its place in the window is free.
 */
import type { OpenLines } from "../outbound/line.ts";
import type { LinkStatus } from "./link.ts";
import { type OperatorLine, operatorLine, type SmsDeps } from "./operator-line.ts";
import { receiptMemory } from "./receipt-habit.ts";
import { inboundRules } from "./received-text.ts";

/** An operator's connections, in the order of the configuration. */
export type OperatorStatus = { readonly operator: string; readonly connections: readonly LinkStatus[] };

export type SmsLines = {
  readonly open: OpenLines;
  readonly status: () => OperatorStatus[];
};

export function smsLines(deps: SmsDeps): SmsLines {
  const { settings } = deps;
  const lines = new Map<string, OperatorLine>();
  return {
    open: (tools) => {
      const shared = {
        ...deps,
        ...tools,
        inbound: inboundRules({ config: settings.now(), readNumber: deps.readNumber }),
        memory: receiptMemory(deps.store.read),
      };
      for (const [code, atStart] of Object.entries(settings.now().operators)) {
        const operator = () => settings.now().operators[code] ?? atStart;
        lines.set(code, operatorLine({ ...shared, code, operator }));
      }
      return lines;
    },
    status: () => [...lines].map(([operator, line]) => ({ operator, connections: line.status() })),
  };
}
