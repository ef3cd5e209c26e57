import type { Rule } from "../finding.ts";
import { askedFor } from "./asked-for.ts";
import { balances } from "./balances.ts";
import { charges } from "./charges.ts";
import { counts } from "./counts.ts";
import { errorAnswers } from "./error-answers.ts";
import { idempotency } from "./idempotency.ts";
import { keys } from "./keys.ts";
import { lostBatches } from "./lost-batches.ts";
import { ownership } from "./ownership.ts";
import { prices } from "./prices.ts";
import { statements } from "./statements.ts";

/** Requests, batches, money, accounts, commands. */
export const BOOKS: readonly Rule[] = [
  lostBatches,
  askedFor,
  idempotency,
  errorAnswers,
  keys,
  ownership,
  counts,
  prices,
  charges,
  balances,
  statements,
];
