import { serverView } from "../../upkeep/doctor/server-checks.ts";
import type { AdminCommand } from "../command.ts";

/** What `doctor` asks a running server. */
export const SERVER_VIEW: AdminCommand = {
  name: "server view",
  positionals: [],
  flags: [],
  needsServer: true,
  run: (context) => serverView(context),
};
