import type { Rule } from "../finding.ts";
import { consent } from "./consent.ts";
import { directSent } from "./direct-sent.ts";
import { eventsTold } from "./events-told.ts";
import { eventsTrue } from "./events-true.ts";
import { feedGaps } from "./feed-gaps.ts";
import { lastAnswer, refusedInDoubt } from "./last-answer.ts";
import { linkLimits } from "./link-limits.ts";
import { linkManners } from "./link-manners.ts";
import { neverTwice } from "./never-twice.ts";
import { oneRoute } from "./one-route.ts";
import { oneText } from "./one-text.ts";
import { onlyOrdered } from "./only-ordered.ts";
import { orderlyStop } from "./orderly-stop.ts";
import { pausedStill } from "./paused-still.ts";
import { postsOnce } from "./posts-once.ts";
import { postsOrdered } from "./posts-ordered.ts";
import { postsPaced } from "./posts-paced.ts";
import { postsTruth } from "./posts-truth.ts";
import { receiptsKept } from "./receipts-kept.ts";
import { repeatsListed } from "./repeats-listed.ts";
import { routesTried } from "./routes-tried.ts";
import { senderRoutes } from "./sender-routes.ts";
import { statedTruth } from "./stated-truth.ts";
import { statusHistory } from "./status-history.ts";
import { templatesKnown } from "./templates-known.ts";
import { templatesPriced } from "./templates-priced.ts";
import { triedAgain } from "./tried-again.ts";
import { usersHeard } from "./users-heard.ts";
import { ways } from "./ways.ts";

/** PDUs, texts, submits, receipts, statuses, the feed, events. */
export const WIRES: readonly Rule[] = [
  linkManners,
  linkLimits,
  oneText,
  oneRoute,
  postsOnce,
  postsOrdered,
  postsPaced,
  postsTruth,
  ways,
  usersHeard,
  consent,
  directSent,
  templatesKnown,
  templatesPriced,
  onlyOrdered,
  orderlyStop,
  pausedStill,
  neverTwice,
  lastAnswer,
  refusedInDoubt,
  repeatsListed,
  triedAgain,
  routesTried,
  senderRoutes,
  statedTruth,
  receiptsKept,
  statusHistory,
  feedGaps,
  eventsTrue,
  eventsTold,
];
