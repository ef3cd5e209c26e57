/** What an administrator loads into Prometheus and Grafana, printed as their files take it. */

import type { LocalCommand } from "./local-command.ts";
import { printJson } from "./terminal.ts";

export const METRICS_COMMANDS: readonly LocalCommand[] = [
  {
    kind: "own",
    name: "metrics rules",
    positionals: [],
    flags: [],
    run: async ({ io, json }) => {
      const { alertRules } = await import("../ops/metrics/prometheus-rules.ts");
      if (json) printJson(io, { data: { rules: alertRules() } });
      else io.out(alertRules());
      return 0;
    },
  },
  {
    kind: "own",
    name: "metrics dashboard",
    positionals: [],
    flags: [],
    run: async ({ io, json }) => {
      const { dashboard } = await import("../ops/metrics/grafana-dashboard.ts");
      if (json) printJson(io, { data: dashboard() });
      else io.out(`${JSON.stringify(dashboard(), null, 2)}\n`);
      return 0;
    },
  },
];
