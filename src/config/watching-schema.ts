import { Type } from "typebox";
import { parseNetwork } from "../base/networks.ts";
import { parseListen } from "./listen.ts";
import { flag, table, text } from "./setting.ts";

/** What Prometheus is told, and where. */
export const MetricsSchema = table({
  listen: text({
    default: "127.0.0.1:9464",
    description:
      "host:port where Prometheus finds /metrics, which is answered nowhere else. Empty: nowhere. Port 0: any free one.",
    expects: "host:port, such as 127.0.0.1:9464 or [::1]:9464, or an empty text for none",
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
    expects: "host:port, such as 10.20.0.1:8443, or an empty text for the API's address",
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
  staff_networks: Type.Array(
    text({
      description: "One network.",
      expects: "an address or a network such as 10.20.0.0/16 or 2001:db8::/32",
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
});
