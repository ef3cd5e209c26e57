/** The channel SMS: a line for each operator of the configuration, over its SMPP connections. */
import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Settings } from "../config/in-force.ts";
import type { OpenLines } from "../outbound/line.ts";
import type { Store } from "../store/store.ts";
import type { LinkStatus } from "./link.ts";
import { type OperatorLine, operatorLine } from "./operator-line.ts";
import { receiptMemory } from "./receipt-memory.ts";
import { inboundRules } from "./received-text.ts";

/** An operator's connections, in the order of the configuration. */
export type OperatorStatus = { readonly operator: string; readonly connections: readonly LinkStatus[] };

export type SmsLines = {
  readonly open: OpenLines;
  readonly status: () => OperatorStatus[];
};

export type SmsDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** A number in any form as E.164 with "+", as those of a batch are read; null for what is none. */
  readonly readNumber: (text: string) => string | null;
  /** The PEM text of a file that a connection names, or null for none. */
  readonly readPem: (file: string) => string | null;
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
