import type { Rule } from "../finding.ts";
import { askedFor } from "./asked-for.ts";
import { backupsSound } from "./backups-sound.ts";
import { balances } from "./balances.ts";
import { calledOff } from "./called-off.ts";
import { cancelKept } from "./cancel-kept.ts";
import { changesKept } from "./changes-kept.ts";
import { charges } from "./charges.ts";
import { claimedAfter } from "./claimed-after.ts";
import { commands } from "./commands.ts";
import { counts } from "./counts.ts";
import { feedWhole } from "./feed-whole.ts";
import { funds } from "./funds.ts";
import { idempotency } from "./idempotency.ts";
import { invoice } from "./invoice.ts";
import { keys } from "./keys.ts";
import { lostBatches } from "./lost-batches.ts";
import { ownership } from "./ownership.ts";
import { prices } from "./prices.ts";
import { rejections } from "./rejections.ts";
import { repetition } from "./repetition.ts";
import { routeCosts } from "./route-costs.ts";
import { smppAccepted } from "./smpp-accepted.ts";
import { smppReceipts } from "./smpp-receipts.ts";
import { smppRefused } from "./smpp-refused.ts";
import { statements } from "./statements.ts";
import { suppressionsKept } from "./suppressions-kept.ts";
import { toldTimes } from "./told-times.ts";

/** Requests, batches, money, accounts, commands. */
export const BOOKS: readonly Rule[] = [
  lostBatches,
  askedFor,
  idempotency,
  keys,
  ownership,
  counts,
  prices,
  charges,
  balances,
  statements,
  toldTimes,
  funds,
  rejections,
  repetition,
  calledOff,
  cancelKept,
  claimedAfter,
  feedWhole,
  commands,
  changesKept,
  suppressionsKept,
  invoice,
  routeCosts,
  backupsSound,
  smppAccepted,
  smppReceipts,
  smppRefused,
];
