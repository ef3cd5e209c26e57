/**
 * The SMS channel: one worker for each operator of the configuration, over its SMPP connections.
 *
 * Sending: `smpp-worker.ts` claims messages and writes them as `submit_sm` (made by `submit-sm.ts`) by its sessions
 * (`open-session.ts`, `operator-session.ts`). `submit-results.ts` has the in-flight submits and writes down what came of each: a
 * response or none. The outcome of a submit without a response is unknown (`unknown-outcomes.ts`).
 *
 * Receiving: `open-session.ts` separates receipts from texts. `delivery-receipts.ts` finds the segment that a receipt is about; one
 * that fits none waits in `unmatched-receipts.ts` until it does. A text goes to domain/inbound.
 *
 * The room may write its own tables and hand facts to messages. It changes no money and no status itself. What the operator
 * may have is never forgotten: it is written down before its place in the window is free.
 */
import type { OperatorConfig } from "../../config/config.ts";
import { allPauses, findPause } from "../../dispatch/pauses.ts";
import type { OpenWorkers } from "../../dispatch/worker.ts";
import type { SessionStatus } from "./operator-session.ts";
import { receiptCache } from "./receipt-detection.ts";
import { inboundRules } from "./received-text.ts";
import { type SmppWorker, type SmsDeps, smppWorker } from "./smpp-worker.ts";

/** The sessions of an operator, in the order of the configuration. */
export type OperatorStatus = { readonly operator: string; readonly connections: readonly SessionStatus[] };

export type SmppWorkers = {
  readonly open: OpenWorkers;
  readonly status: () => OperatorStatus[];
  /** Reads again what is paused. */
  readonly pausesChanged: () => void;
  /** Rebinds the connection of a name, or all of an operator. */
  readonly reconnect: (operator: string, connection: string | null) => void;
  /** Sends test messages over an operator; null where it has no worker. */
  readonly trials: (operator: string) => SmppWorker["trials"] | null;
  /** From now on no worker is opened or closed, whatever becomes of the configuration. */
  readonly halt: () => void;
};

export function smppWorkers(deps: SmsDeps): SmppWorkers {
  const { settings, readNumber } = deps;
  const lines = new Map<string, SmppWorker>();
  let unfollow = (): void => {};
  let pauses = allPauses(deps.store.read);
  return {
    open: (tools) => {
      const inbound = inboundRules({ config: settings.now, readNumber });
      const cap = (): number => settings.now().storage.unmatched_receipts;
      const memory = receiptCache(deps.store.read, deps.clock, cap);
      const shared = { ...deps, ...tools, inbound, memory };
      const open = (code: string, config: OperatorConfig): SmppWorker => {
        let latest = config;
        const operator = (): OperatorConfig => {
          latest = settings.now().operators[code] ?? latest;
          return latest;
        };
        const line = smppWorker({
          ...shared,
          code,
          operator,
          findPause: (name) => findPause(pauses, code, name),
        });
        lines.set(code, line);
        return line;
      };
      unfollow = settings.onChange(() => {
        const { operators } = settings.now();
        for (const [code, line] of lines) {
          if (Object.hasOwn(operators, code)) continue;
          lines.delete(code);
          tools.closed(code, line);
        }
        for (const [code, config] of Object.entries(operators)) {
          if (!lines.has(code)) tools.opened(code, open(code, config));
        }
      });
      for (const [code, config] of Object.entries(settings.now().operators)) open(code, config);
      return new Map(lines);
    },
    status: () => [...lines].map(([operator, line]) => ({ operator, connections: line.status() })),
    pausesChanged: () => {
      pauses = allPauses(deps.store.read);
      for (const line of lines.values()) line.pausesChanged();
    },
    reconnect: (operator, connection) => lines.get(operator)?.reconnect(connection),
    trials: (operator) => lines.get(operator)?.trials ?? null,
    halt: () => unfollow(),
  };
}
