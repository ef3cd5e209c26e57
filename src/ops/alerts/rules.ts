/** The alert rules: each takes an observation and says what fires. Pure. */
import type { RouteWait } from "../../admin/reports/queue.ts";
import type { RouteStatus } from "../../channels/sms/operator-routes.ts";
import type { Config } from "../../config/config.ts";
import type { UntrustedClock } from "../../core/clock.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { smppUserById } from "../../domain/accounts/smpp-users.ts";
import { type CheckStanding, TO_MAKE_UP_MS } from "../../domain/ledger/books-check.ts";
import { lowWallets } from "../../domain/ledger/wallet.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { oldestReceipts } from "../../ingress/smpp/follows.ts";
import type { CertificateEnd } from "../certificates.ts";
import { megabytes } from "../disk-monitor.ts";
import type { DeliveryRate, Traffic } from "./delivery-rates.ts";

type Thresholds = Config["alerts"]["rules"];

/** Every rule by its name in `[alerts.rules.NAME]`. */
export type RuleName = keyof Thresholds;

/** The facts of an alert as codes, numbers, epoch milliseconds; phrases for reported texts. */
export type AlertFacts = Readonly<Record<string, string | number | Phrase>>;

/** A condition that holds at this moment. */
export type Firing = {
  readonly rule: RuleName;
  /** What it is about; "" for rules with a single subject. */
  readonly subject: string;
  readonly sinceMs: number;
  readonly facts: AlertFacts;
};

/** Whether an alert lasts already. */
type IsLasting = (rule: RuleName, subject: string) => boolean;

type Found = Omit<Firing, "rule">;
type Rule<Name extends RuleName> = (
  seen: Observation,
  limits: Thresholds[Name],
  isLasting: (subject: string) => boolean,
) => readonly Found[];

/** Counters begin at the start: until this much later, silence ends no alert from before it. */
const UNKNOWN_MS = 900_000;
/** Without an answer for so long an operator is no longer known to refuse. */
const QUIET_MS = 900_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const RULES: { readonly [Name in RuleName]: Rule<Name> } = {
  link_down: ({ links, nowMs }, { seconds }, isLasting) =>
    links.flatMap((link) => {
      const { operator, connection, downSinceMs, lastError } = link;
      const subject = `${operator} ${connection}`;
      if (downSinceMs === null) return [];
      // The threshold decides the start; it lasts until the session is up. The last session down is the operator's alert.
      const isNew = !isLasting(subject);
      if (isNew && (nowMs - downSinceMs < seconds * 1000 || isDown(links, operator))) return [];
      return [{ subject, sinceMs: downSinceMs, facts: { operator, connection, error: lastError ?? "" } }];
    }),
  operator_down: ({ links, nowMs }, { seconds }, isLasting) =>
    [...Map.groupBy(links, ({ operator }) => operator)].flatMap(([operator, own]) => {
      const sinceMs = Math.max(...own.map(({ downSinceMs }) => downSinceMs ?? Number.POSITIVE_INFINITY));
      if (!Number.isFinite(sinceMs)) return [];
      if (nowMs - sinceMs < seconds * 1000 && !isLasting(operator)) return [];
      const error = own.find(({ lastError }) => lastError !== null)?.lastError ?? "";
      return [{ subject: operator, sinceMs, facts: { operator, error } }];
    }),
  not_taken: ({ links, nowMs, startedMs }, { seconds, answers: least }, isLasting) =>
    links.flatMap(({ operator, connection, refusing }) => {
      const subject = `${operator} ${connection}`;
      const lasts = isLasting(subject);
      const facts = { operator, connection };
      if (refusing === null) {
        // Answers before this start are unknown: silence ends nothing yet.
        const isUnknown = lasts && nowMs - startedMs < UNKNOWN_MS;
        return isUnknown
          ? [{ subject, sinceMs: startedMs, facts: { ...facts, answers: 0, code: "?", answer: "" } }]
          : [];
      }
      const { answers, sinceMs, atMs, code, answer } = refusing;
      if (nowMs - atMs >= QUIET_MS) return [];
      if (!lasts && (answers < least || nowMs - sinceMs < seconds * 1000)) return [];
      return [{ subject, sinceMs, facts: { ...facts, answers, code, answer } }];
    }),
  number_stopped: ({ stopped }) =>
    stopped.map(({ operator, sinceMs, error }) => ({
      subject: operator,
      sinceMs,
      facts: { operator, error },
    })),
  template_stopped: ({ templates }) =>
    templates.map(({ template, why, sinceMs }) => ({ subject: template, sinceMs, facts: { template, why } })),
  direct_text_stopped: ({ texts }) =>
    texts.map(({ operator, messageClass, category, sinceMs }) => ({
      subject: `${operator} ${messageClass}`,
      sinceMs,
      facts: { operator, class: messageClass, category },
    })),
  template_moves: ({ moving }) =>
    moving.map(({ template, category, movesAtMs, sinceMs }) => ({
      subject: template,
      sinceMs,
      facts: { template, category, at: movesAtMs },
    })),
  templates_unread: ({ unread, nowMs, startedMs }, { seconds }) =>
    unread.flatMap(({ operator, readMs, error }) => {
      const sinceMs = readMs ?? startedMs;
      if (nowMs - sinceMs < seconds * 1000) return [];
      return [{ subject: operator, sinceMs, facts: { operator, error } }];
    }),
  country_refused: ({ countries }) =>
    countries.map(({ operator, country, sinceMs }) => ({
      subject: `${operator} +${country}`,
      sinceMs,
      facts: { operator, country: `+${country}` },
    })),
  otp_waits: (seen, { seconds }) => waits(seen, "OTP", seconds),
  transactional_waits: (seen, { seconds }) => waits(seen, "TRANSACTIONAL", seconds),
  route_ill: ({ illRoutes }) =>
    illRoutes.map(({ operator, route, cause, sinceMs }) => {
      const facts = { operator, route };
      const subject = `${operator}/${route}`;
      if (cause.kind === "take_overs") return { subject, sinceMs, facts: { ...facts, times: cause.times } };
      const { share, usual, messages } = cause;
      return {
        subject,
        sinceMs,
        facts: { ...facts, share: Math.round(share), usual: Math.round(usual), messages },
      };
    }),
  no_route: ({ routeWaits, nowMs }, { seconds }, isLasting) =>
    routeWaits.flatMap(({ operator, messageClass, sender, why, sinceMs }) => {
      const subject = [operator, messageClass, ...(sender === null ? [] : [sender])].join(" ");
      if (nowMs - sinceMs < seconds * 1000 && !isLasting(subject)) return [];
      const facts = { operator, class: messageClass, hold: why, ...(sender !== null && { sender }) };
      return [{ subject, sinceMs, facts }];
    }),
  delivered_share: ({ shares, nowMs }, { points }) =>
    shares.flatMap(({ operator, share, usual, messages }) => {
      if (usual === null || share > usual - points) return [];
      const facts = { operator, share: Math.round(share), usual: Math.round(usual), messages };
      return [{ subject: operator, sinceMs: nowMs, facts }];
    }),
  receipts_unmatched: ({ traffic, nowMs, startedMs }, { percent, receipts }, isLasting) =>
    traffic.flatMap(({ operator, matched, unmatched }) => {
      const isUnknown = nowMs - startedMs < UNKNOWN_MS && isLasting(operator);
      const isFew = unmatched <= receipts || unmatched * 100 <= percent * (matched + unmatched);
      if (isFew && !isUnknown) return [];
      const facts = { operator, unmatched, receipts: matched + unmatched };
      return [{ subject: operator, sinceMs: nowMs, facts }];
    }),
  smpp_receipts: ({ smppReceipts, nowMs }, { seconds }) =>
    smppReceipts.flatMap(({ user, account, sinceMs }) =>
      nowMs - sinceMs < seconds * 1000
        ? []
        : [{ subject: user, sinceMs, facts: { user, account, at: sinceMs } }],
    ),
  throttled: ({ traffic, nowMs, startedMs }, { seconds }, isLasting) =>
    traffic.flatMap(({ operator, throttledSinceMs }) => {
      const isUnknown = nowMs - startedMs < UNKNOWN_MS;
      const sinceMs = throttledSinceMs ?? (isUnknown ? startedMs : null);
      if (sinceMs === null || (throttledSinceMs === null && !isLasting(operator))) return [];
      if (nowMs - sinceMs < seconds * 1000 && !isLasting(operator)) return [];
      return [{ subject: operator, sinceMs, facts: { operator } }];
    }),
  disk: ({ disk, nowMs }) =>
    disk === null || disk.freeBytes >= 2 * disk.reserveBytes
      ? []
      : one(nowMs, { free: megabytes(disk.freeBytes), reserve: megabytes(disk.reserveBytes) }),
  clock: ({ doubt }) => (doubt === null ? [] : one(doubt.sinceMs, { kind: doubt.kind })),
  books: ({ books: { standing, checkedAtMs }, nowMs }) =>
    standing === "agrees" || standing === "not checked yet" ? [] : one(checkedAtMs ?? nowMs, { standing }),
  backup: ({ backupAtMs, startedMs, nowMs }, { hours }, isLasting) => {
    const lateMs = backupAtMs + hours * HOUR_MS;
    const isBeingMadeUp = nowMs - startedMs <= TO_MAKE_UP_MS && !isLasting("");
    return nowMs <= lateMs || isBeingMadeUp ? [] : one(lateMs, { hours });
  },
  drill: ({ drill }) => (drill?.failure ? one(drill.atMs, { failure: drill.failure }) : []),
  certificate: ({ certificates, nowMs }, { days }) =>
    certificates.flatMap(({ key, endsAtMs }) =>
      endsAtMs === null || endsAtMs - nowMs >= days * DAY_MS
        ? []
        : [{ subject: key, sinceMs: nowMs, facts: { key, left: Math.floor((endsAtMs - nowMs) / DAY_MS) } }],
    ),
  endpoint: ({ endpoints, nowMs }) =>
    endpoints.map(({ id, account }) => ({ subject: id, sinceMs: nowMs, facts: { endpoint: id, account } })),
  wallet_low: ({ wallets, nowMs }) =>
    wallets.map(({ accountId, name, spendable }) => ({
      subject: accountId,
      sinceMs: nowMs,
      facts: { account: name, spendable },
    })),
};

/** All rule names, in listing order. */
export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[];

/** Evaluates all rules; a disabled rule never fires. */
export function evaluateRules(seen: Observation, thresholds: Thresholds, isLasting: IsLasting): Firing[] {
  return RULE_NAMES.flatMap((rule) => firingsBy(rule, seen, thresholds, isLasting));
}

function firingsBy<Name extends RuleName>(
  rule: Name,
  seen: Observation,
  thresholds: Thresholds,
  isLasting: IsLasting,
): Firing[] {
  const limits = thresholds[rule];
  if (!limits.enabled) return [];
  const look: Rule<Name> = RULES[rule];
  return look(seen, limits, (subject) => isLasting(rule, subject)).map((found) => ({ rule, ...found }));
}

function isDown(links: readonly ObservedSession[], operator: string): boolean {
  return links.every((link) => link.operator !== operator || link.downSinceMs !== null);
}

function waits({ oldest, nowMs }: Observation, messageClass: string, seconds: number): readonly Found[] {
  const sinceMs = oldest.get(messageClass);
  return sinceMs === undefined || nowMs - sinceMs <= seconds * 1000
    ? []
    : one(sinceMs, { seconds: Math.floor((nowMs - sinceMs) / 1000) });
}

function one(sinceMs: number, facts: AlertFacts): readonly Found[] {
  return [{ subject: "", sinceMs, facts }];
}

// The observation that rules evaluate: plain values, taken at one moment.

/** A connection to an operator, by its place in the operator's list. */
export type ObservedSession = {
  readonly operator: string;
  readonly connection: number;
  /** Null while it is bound. */
  readonly downSinceMs: number | null;
  readonly lastError: Phrase | null;
  /** Its error while it refuses messages; null where it took the last one, and before the first answer. */
  readonly refusing: {
    readonly answers: number;
    readonly sinceMs: number;
    readonly atMs: number;
    /** The last answer, as manuals write it and in words. */
    readonly code: string;
    readonly answer: string | Phrase;
  } | null;
};

/** A number of WhatsApp that Meta has stopped. */
export type StoppedNumber = {
  /** Its operator code. */
  readonly operator: string;
  readonly sinceMs: number;
  /** What Meta answered. */
  readonly error: string | Phrase;
};

/** A template that can no longer be sent. */
type ObservedTemplate = {
  readonly template: string;
  readonly why: string | Phrase;
  readonly sinceMs: number;
};

/** A stop of text without a template, of one class by one number. */
type ObservedText = {
  readonly operator: string;
  readonly messageClass: string;
  readonly category: string;
  readonly sinceMs: number;
};

/** A template that Meta will move to another category, and when. */
type ObservedMove = {
  readonly template: string;
  readonly category: string;
  readonly movesAtMs: number;
  readonly sinceMs: number;
};

/** A number of WhatsApp whose templates could not be read, and when they were. */
export type UnreadTemplates = {
  readonly operator: string;
  readonly readMs: number | null;
  readonly error: string | Phrase;
};

/** A country that a number of WhatsApp may not write to, by its calling code. */
type ObservedCountryRefusal = {
  readonly operator: string;
  readonly country: string;
  readonly sinceMs: number;
};

/** A route that is ill. */
export type IllRoute = {
  readonly operator: string;
  readonly route: string;
  readonly cause: NonNullable<RouteStatus["ill"]>["cause"];
  readonly sinceMs: number;
};

/** What waits because no route that may carry it is able, and since when that was seen. */
export type ObservedRouteWait = RouteWait & { readonly sinceMs: number };

/** Since when the oldest receipt of an SMPP user waits for it to take it. */
type ObservedReceipts = { readonly user: string; readonly account: string; readonly sinceMs: number };

export type Observation = {
  readonly nowMs: number;
  readonly startedMs: number;
  readonly links: readonly ObservedSession[];
  readonly stopped: readonly StoppedNumber[];
  readonly templates: readonly ObservedTemplate[];
  readonly texts: readonly ObservedText[];
  readonly moving: readonly ObservedMove[];
  readonly unread: readonly UnreadTemplates[];
  readonly countries: readonly ObservedCountryRefusal[];
  readonly traffic: readonly Traffic[];
  readonly smppReceipts: readonly ObservedReceipts[];
  /** Since when the oldest message of a class waits; classes with none are absent. */
  readonly oldest: ReadonlyMap<string, number>;
  readonly shares: readonly DeliveryRate[];
  readonly illRoutes: readonly IllRoute[];
  readonly routeWaits: readonly ObservedRouteWait[];
  readonly disk: { readonly freeBytes: number; readonly reserveBytes: number } | null;
  readonly doubt: UntrustedClock | null;
  readonly books: { readonly standing: CheckStanding; readonly checkedAtMs: number | null };
  /** When the newest backup was made; without one, when the data began. */
  readonly backupAtMs: number;
  readonly drill: { readonly atMs: number; readonly failure: string | Phrase | null } | null;
  readonly certificates: readonly CertificateEnd[];
  /** Endpoints that fail again and again. */
  readonly endpoints: readonly { readonly id: string; readonly account: string }[];
  readonly wallets: readonly LowWallet[];
};

// Subjects of alerts besides operators: accounts and endpoints.

/** The most subjects of one rule. */
const MOST = 50;

type LowWallet = { readonly accountId: string; readonly name: string; readonly spendable: number };

/** Accounts whose wallet is below their low balance. */
export function readLowWallets(read: Reader): LowWallet[] {
  return lowWallets(read, MOST).flatMap(({ accountId, spendable }) => {
    const account = accountById(read, accountId);
    return account && account.status === "ACTIVE"
      ? [{ accountId: account.ulid, name: account.name, spendable }]
      : [];
  });
}

/** SMPP users of active accounts for whom receipts wait. */
export function readSmppReceipts(read: Reader): ObservedReceipts[] {
  return oldestReceipts(read).flatMap(({ userId, sinceMs }) => {
    const user = smppUserById(read, userId);
    const account = user && accountById(read, user.accountId);
    if (!user || isSandbox(user.accountId) || account?.status !== "ACTIVE") return [];
    return [{ user: user.systemId, account: account.name, sinceMs }];
  });
}

/** The most endpoints reported. */
export const MAX_ENDPOINTS = MOST;
