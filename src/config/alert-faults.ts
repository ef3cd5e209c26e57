import { Value } from "typebox/value";
import type { Fault } from "./fault.ts";
import { ConfigSchema } from "./schema.ts";

/** What a channel for alarms needs and has not; alarms that nobody could tell from a stranger's. */
export function alertFaults(alerts: unknown): Fault[] {
  if (!Value.Check(ConfigSchema.properties.alerts, alerts)) return [];
  const { webhook, secret, email, smtp } = alerts;
  const faults: Fault[] = [];
  const missing = (key: string, expected: string) => faults.push({ key, found: "nothing", expected });
  if (webhook !== "" && secret === "") missing("alerts.secret", "a secret that alarms are signed with");
  if (email.length > 0 && smtp.host === "") missing("alerts.smtp.host", "the mail server that takes alarms");
  if (email.length > 0 && smtp.from === "") missing("alerts.smtp.from", "the address that alarms come from");
  if (smtp.user !== "" && smtp.password === "") missing("alerts.smtp.password", "the password of the user");
  if (smtp.user !== "" && smtp.tls === "none")
    faults.push({
      key: "alerts.smtp.tls",
      found: '"none"',
      expected: '"starttls" or "implicit", since a password would leave in clear text',
    });
  return faults;
}
