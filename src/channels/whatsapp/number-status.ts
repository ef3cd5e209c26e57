import type { SessionHealth } from "../../dispatch/line.ts";
import type { NumberConfig } from "./cloud-client.ts";
import type { BlockedCountry } from "./country-refusals.ts";
import type { DailyUserCounts } from "./day-counts.ts";
import type { WhatsAppWorker } from "./number-line.ts";
import type { PaceFigures } from "./number-pace.ts";

/** A number as it stands, for `operator status`. */
export type NumberStatus = SessionHealth &
  PaceFigures & {
    /** Its operator code. */
    readonly operator: string;
    readonly phoneNumberId: string;
    readonly wabaId: string;
    readonly isEnabled: boolean;
    /** Messages a second that the configuration allows. */
    readonly throughput: number;
    /** Different users written to in the last day by all numbers of its portfolio, and how many there may be; 0 is no limit. */
    readonly usersOfDay: number;
    readonly recipientsPerDay: number;
    /** Countries that it may not write to, as Meta said lately. */
    readonly refusedCountries: readonly BlockedCountry[];
  };

/** What a number's line and its configuration say at this moment; `nowMs` of the wall clock, `steadyMs` of the steady one. */
export function numberStatus(
  line: WhatsAppWorker,
  operator: string,
  number: NumberConfig,
  day: DailyUserCounts,
  { nowMs, steadyMs }: { readonly nowMs: number; readonly steadyMs: number },
): Omit<NumberStatus, "refusedCountries"> | null {
  const [health] = line.status();
  if (health === undefined) return null;
  return {
    ...health,
    ...line.pace.figures(steadyMs),
    operator,
    phoneNumberId: number.phone_number_id,
    wabaId: number.waba_id,
    isEnabled: number.enabled,
    throughput: number.throughput,
    usersOfDay: day.usersOf(line.code, nowMs),
    recipientsPerDay: number.recipients_per_day,
  };
}
