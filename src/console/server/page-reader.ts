import type { Config } from "../../config/config.ts";
import type { Reader as RowReader } from "../../db/read.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { Reader } from "../../i18n/phrase.ts";
import type { SignedInCaller } from "./principal.ts";

/** For whom a page is made: in their language, by their clocks, else those of their account, else those of the appliance. */
export function resolvePageReader(
  { principal, reads }: Pick<SignedInCaller, "principal" | "reads">,
  read: RowReader,
  { defaults }: Pick<Config, "defaults">,
): Reader & { readonly timeZone: string } {
  const { accountId, timezone } = principal;
  const account = accountId === null ? null : accountById(read, accountId);
  return { locale: reads, timeZone: timezone ?? account?.timezone ?? defaults.timezone };
}
