import { phrase } from "../i18n/phrase.ts";
import { parseListen } from "./listen.ts";
import { flag, table, text } from "./setting.ts";

/** `[compat]`. */
export const CompatSchema = table({
  kannel: flag({
    default: false,
    description: "Opens /cgi-bin/sendsms to clients that were written for Kannel.",
  }),
  jasmin: flag({
    default: false,
    description: "Opens /send, /rate, /balance and /ping to clients that were written for Jasmin.",
  }),
  listen: text({
    default: "",
    description: "An address of their own for both. Empty: that of the HTTP server.",
    expects: phrase("config.expects.compat_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
  callback_http: flag({
    default: true,
    description: "false lets their callbacks go to https addresses only.",
  }),
});
