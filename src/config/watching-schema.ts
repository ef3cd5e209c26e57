import { Type } from "typebox";
import { parseNetwork } from "../core/networks.ts";
import { phrase } from "../i18n/phrase.ts";
import { parseListen } from "./listen.ts";
import { flag, table, text, whole } from "./setting.ts";

/** What Prometheus is told, and where. */
export const MetricsSchema = table({
  listen: text({
    default: "127.0.0.1:9464",
    description:
      "host:port where Prometheus finds /metrics, which is answered nowhere else. Empty: nowhere. Port 0: any free one.",
    expects: phrase("config.expects.metrics_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
});

/** Who is shown what, and where. */
export const ConsoleSchema = table({
  enabled: flag({ default: true, description: "Whether the console is served, under /console." }),
  listen: text({
    default: "",
    description:
      "host:port of an address of its own for the console. Empty: that of the API. Port 0: any free one.",
    expects: phrase("config.expects.console_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
  staff_networks: Type.Array(
    text({
      description: "One network.",
      expects: phrase("config.expects.network"),
      isValid: (value) => parseNetwork(value) !== null,
    }),
    {
      minItems: 0,
      maxItems: 100,
      default: [],
      description:
        "Networks of your own staff: they sign in to the console from there alone, and /health tells names and figures there. None: staff sign in from anywhere, and only callers on this machine are told.",
    },
  ),
  sign_ins_per_login: whole({
    unit: "attempts",
    min: 1,
    max: 1000,
    default: 10,
    description:
      "Attempts to sign in of one login in 15 minutes: of strangers together, and of each network that it came in from before. Above it: 429.",
  }),
  sign_ins_per_network: whole({
    unit: "attempts",
    min: 1,
    max: 100_000,
    default: 50,
    description: "Attempts to sign in from one address, or one IPv6 network of 64 bits, in 15 minutes.",
  }),
  requests_per_second: whole({
    min: 1,
    max: 100_000,
    default: 20,
    description: "What one user of the console may ask, lastingly. Above it: 429.",
  }),
  burst: whole({
    unit: "requests",
    min: 1,
    max: 1_000_000,
    default: 500,
    description: "What one user of the console may ask at once after a pause.",
  }),
  account_requests_per_second: whole({
    min: 1,
    max: 100_000,
    default: 100,
    description: "What the users of one account may ask together, lastingly.",
  }),
  account_burst: whole({
    unit: "requests",
    min: 1,
    max: 1_000_000,
    default: 2500,
    description: "What the users of one account may ask together at once after a pause.",
  }),
  transfers: whole({
    min: 1,
    max: 1000,
    default: 4,
    description: "Files that one user may bring or fetch at the same time. Above it: 429.",
  }),
  account_transfers: whole({
    unit: "transfers",
    min: 1,
    max: 1000,
    default: 12,
    description: "Files that the users of one account may bring or fetch at the same time.",
  }),
  prepared_files: whole({
    min: 1,
    max: 100,
    default: 4,
    description:
      "Files that are written whole before they are fetched, as those of people are: of one user, from their request until they are fetched. Above it: 429.",
  }),
  all_prepared_files: whole({
    unit: "files",
    min: 1,
    max: 1000,
    default: 64,
    description: "Such files of all users together.",
  }),
});
