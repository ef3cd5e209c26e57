import { createHmac } from "node:crypto";
import type { Cancel, Clock } from "../../core/clock.ts";
import { errorText } from "../../core/log.ts";
import { type Ask, asker } from "../../https/post.ts";
import { type HttpsNetwork, systemHttps } from "../../https/resolve.ts";
import { targetOf } from "../../https/target.ts";
import { type Phrase, said } from "../../i18n/phrase.ts";
import { changesOf, type StatusOfPost, type ToldChange, webhookBody } from "./payloads.ts";
import { type Verification, verifying } from "./verifying.ts";

/** Brings statuses and other news to the webhook, in the order in which they are handed over, each until it is taken. */
export type Courier = {
  readonly status: (status: StatusOfPost) => void;
  readonly change: (change: ToldChange) => void;
  /** Handed over and not taken yet. */
  readonly waiting: () => number;
  /** Resolves when nothing waits. */
  readonly idle: () => Promise<void>;
  readonly stop: () => void;
};

export type CourierOptions = {
  readonly clock: Clock;
  readonly webhook: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly onEvent: (event: CourierEvent) => void;
  readonly network?: HttpsNetwork | undefined;
};

export type CourierEvent =
  | Verification
  | { readonly kind: "told"; readonly statuses: number }
  | { readonly kind: "untaken"; readonly why: Phrase };

const MOST_IN_A_CALL = 200;
const TIMEOUT_MS = 20_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Verifies the webhook, and posts meanwhile. @throws when its address is none. */
export function openCourier(options: CourierOptions): Courier {
  const { clock, webhook, verifyToken, onEvent, network = systemHttps } = options;
  const target = targetOf(webhook);
  if (target === null) throw new Error(`${webhook} is no address of http or https`);
  const stopping = new AbortController();
  const ask = asker({
    clock,
    resolve: network.resolve,
    own: network.ownAddresses,
    request: network.request,
    allowPrivate: () => true,
    ca: null,
    timeoutMs: TIMEOUT_MS,
  });
  verifying({ clock, ask, target, verifyToken, onEvent, stop: stopping.signal });
  const post: Post = async (body) => {
    const signature = createHmac("sha256", options.appSecret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
    return (await ask(target, { method: "POST", headers, body }, stopping.signal)).error;
  };
  return postedInOrder(clock, post, onEvent, stopping);
}

/** Resolves with why it was not taken; null when it was. */
type Post = (body: string) => Promise<Awaited<ReturnType<Ask>>["error"]>;

/** One call at a time; one that was not taken comes again later, before all that follow. */
function postedInOrder(
  clock: Clock,
  post: Post,
  onEvent: CourierOptions["onEvent"],
  stopping: AbortController,
): Courier {
  const statuses: StatusOfPost[] = [];
  const changes: ToldChange[] = [];
  const waiters: (() => void)[] = [];
  const waiting = (): number => statuses.length + changes.length;
  let isBusy = false;
  let pauseMs = FIRST_PAUSE_MS;
  let cancelTimer: Cancel = () => {};
  const free = (): void => {
    for (const resolve of waiters.splice(0)) resolve();
  };
  const round = async (): Promise<void> => {
    const of = statuses.slice(0, MOST_IN_A_CALL);
    const others = changes.slice(0, MOST_IN_A_CALL);
    const error = await post(webhookBody([...changesOf(of), ...others]));
    if (stopping.signal.aborted) return;
    if (error !== null) {
      rest(error);
      return;
    }
    pauseMs = FIRST_PAUSE_MS;
    statuses.splice(0, of.length);
    changes.splice(0, others.length);
    if (of.length > 0) onEvent({ kind: "told", statuses: of.length });
    next();
  };
  const rest = (why: Phrase): void => {
    onEvent({ kind: "untaken", why });
    cancelTimer = clock.after(pauseMs, next);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  };
  const next = (): void => {
    isBusy = waiting() > 0 && !stopping.signal.aborted;
    // What comes in this turn goes along.
    if (isBusy) clock.soon(() => round().catch((error: unknown) => rest(said(errorText(error)))));
    else free();
  };
  const begin = (): void => {
    if (!isBusy) next();
  };
  return {
    status: (status) => {
      statuses.push(status);
      begin();
    },
    change: (change) => {
      changes.push(change);
      begin();
    },
    waiting,
    idle: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
        begin();
      }),
    stop: () => {
      stopping.abort();
      cancelTimer();
      free();
    },
  };
}
