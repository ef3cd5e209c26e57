import { Value } from "typebox/value";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { oneOf } from "./expectation.ts";
import { type Fault, NOTHING } from "./fault.ts";
import { ConfigSchema } from "./schema.ts";

/** What a channel for alarms needs and has not; alarms that nobody could tell from a stranger's. */
export function alertFaults(alerts: unknown): Fault[] {
  if (!Value.Check(ConfigSchema.properties.alerts, alerts)) return [];
  const { webhook, secret, email, smtp } = alerts;
  const faults: Fault[] = [];
  const missing = (key: string, expected: Phrase) => faults.push({ key, found: NOTHING, expected });
  if (webhook !== "" && secret === "") missing("alerts.secret", phrase("config.expects.alert_secret"));
  if (email.length > 0 && smtp.host === "") missing("alerts.smtp.host", phrase("config.expects.mail_server"));
  if (email.length > 0 && smtp.from === "") missing("alerts.smtp.from", phrase("config.expects.mail_from"));
  if (smtp.user !== "" && smtp.password === "")
    missing("alerts.smtp.password", phrase("config.expects.mail_password"));
  if (smtp.user !== "" && smtp.tls === "none")
    faults.push({
      key: "alerts.smtp.tls",
      found: said('"none"'),
      expected: phrase("config.expects.tls_for_password", { words: oneOf(["starttls", "implicit"]) }),
    });
  return faults;
}
