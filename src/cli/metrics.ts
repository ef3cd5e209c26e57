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
      const { default: rules } = await import("../ops/metrics/prometheus-rules.yml", {
        with: { type: "text" },
      });
      if (json) printJson(io, { data: { rules } });
      else io.out(rules);
      return 0;
    },
  },
  {
    kind: "own",
    name: "metrics dashboard",
    positionals: [],
    flags: [],
    run: async ({ io, json }) => {
      const { default: dashboard } = await import("../ops/metrics/grafana-dashboard.json", {
        with: { type: "json" },
      });
      if (json) printJson(io, { data: dashboard });
      else io.out(`${JSON.stringify(dashboard, null, 2)}\n`);
      return 0;
    },
  },
];
