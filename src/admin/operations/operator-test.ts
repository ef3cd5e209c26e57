/** Sends a test message over one operator, outside all accounts, and follows it to its receipt. */

import {
  claimTestMessage,
  isOver,
  listLatestTests,
  listTestTimes,
  type OperatorTestView,
  operatorTestView,
  readTestMessage,
  recordTestResponse,
  recordTestSubmit,
  recordTestUnaccepted,
  segmentsOfTest,
  type TestMessageRow,
} from "../../channels/sms/test-messages.ts";
import type { TestObstacle } from "../../channels/sms/test-sender.ts";
import { readLastUnmatchedId } from "../../channels/sms/unmatched-receipts.ts";
import { encodeOpaque, type PostAnswer, type PostContent } from "../../channels/whatsapp/cloud-api.ts";
import { composePost } from "../../channels/whatsapp/compose-post.ts";
import { readTemplates } from "../../channels/whatsapp/template-rows.ts";
import type { NumberTestMessages } from "../../channels/whatsapp/test-messages.ts";
import { bringsReceipts, toWhatsAppNumber } from "../../config/config.ts";
import { assert } from "../../core/assert.ts";
import { isoUtc, wait } from "../../core/clock.ts";
import { refused } from "../../core/refusals.ts";
import { senderFault } from "../../domain/accounts/senders.ts";
import { isRestoring } from "../../domain/messages/restore-holds.ts";
import { phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { checkNumberOwner, createMsisdnReader, describeInvalidNumber } from "./msisdn.ts";
import { operation } from "./operation.ts";
import { checkRouteCode, type OperatorOrRoute } from "./operators.ts";
import { checkWords, limit, OPERATOR, optional, otherwise, text, whole, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "./refusal.ts";

/** The most test messages per operator in an hour. */
const MAX_AN_HOUR = 10;
const HOUR_MS = 3_600_000;
const MAX_WAIT_SECONDS = 600;
const USUAL_SENDER = "Bendre";
/** The polling interval for the outcome. */
const LOOK_MS = 100;

/**
 * Sends a test message and waits for its receipt, or as long as asked (docs/administration.md#testing-an-operator). It is
 * claimed and recorded before its first byte leaves, costs nobody money, and is never sent twice.
 */
export async function operatorTest(
  context: AdminContext,
  code: string,
  asked: OperatorTestRequest,
): Promise<AdminOutcome<OperatorTestView>> {
  const { server, store, config } = context;
  if (!server) return serverNotRunning(store.directory);
  const known = checkRouteCode(config, code);
  if (!known.ok) return known;
  const { operator } = known.value;
  const way = findTestRoute(context, known.value, asked);
  if (!way.ok) return way;
  const msisdn = createMsisdnReader(config)(asked.msisdn);
  if (msisdn === null) return refused("INVALID_MSISDN", describeInvalidNumber(config, asked.msisdn));
  const misled = asked.anyNumber
    ? null
    : checkNumberOwner(config, operator, { msisdn, typed: asked.msisdn }, store.read);
  if (misled !== null) return misled;
  if (isRestoring(store.read)) return refuse("RESTORING.test");
  const { obstacle, sender, receipts, offer } = way.value;
  const barred = refusalOf(code, obstacle());
  if (barred !== null) return barred;
  const claimed = await claim(context, code, { operator, msisdn, sender });
  if (!claimed.ok) return claimed;
  const id = claimed.value;
  const takeBack = offer(id, msisdn);
  try {
    await untilOver(context, id, receipts, asked.waitSeconds);
  } finally {
    await takeBack();
  }
  return done(operatorTestView(rowOf(context, id), receipts));
}

function findTestRoute(
  context: AdminContext,
  { operator: code, route }: OperatorOrRoute,
  asked: OperatorTestRequest,
): AdminOutcome<TestRoute> {
  if (asked.waitSeconds > MAX_WAIT_SECONDS) return refuse("INVALID_NUMBER.wait", { most: MAX_WAIT_SECONDS });
  return (
    planTestByNumber(context, code, asked) ?? planTestByWorker(context, { operator: code, route }, asked)
  );
}

function planTestByWorker(
  { server, config, clock }: AdminContext,
  { operator: code, route }: OperatorOrRoute,
  asked: OperatorTestRequest,
): AdminOutcome<TestRoute> {
  const text = textFor(code, asked, clock.nowMs());
  if (!text.ok) return text;
  const line = server?.testSender(code) ?? null;
  if (line === null) return notNow();
  const sender = asked.sender ?? USUAL_SENDER;
  const operator = config.operators[code];
  return done({
    obstacle: () => line.obstacle(route),
    sender,
    receipts: operator === undefined || bringsReceipts(operator, route ?? ""),
    offer: (id, msisdn) => line.offer({ id, msisdn, sender, text: text.value, route }),
  });
}

/** The text, if one SMS can carry it and the sender. */
function textFor(code: string, { text, sender }: OperatorTestRequest, nowMs: number): AdminOutcome<string> {
  const fault = sender === null ? null : senderFault(sender);
  if (fault !== null) return refused("INVALID_SENDER", fault);
  const usual = `Bendre: test ${code} ${isoUtc(nowMs).slice(0, 16).replace("T", " ")} UTC`;
  const words = checkWords(text ?? usual, "INVALID_TEXT", "text", 160);
  if (!words.ok) return words;
  const length = segmentsOfTest(words.value);
  if (length > 1) return refuse("INVALID_TEXT.two_sms", { segments: length });
  return words;
}

function refusalOf(code: string, obstacle: TestObstacle | null) {
  switch (obstacle?.kind) {
    case undefined:
      return null;
    case "held":
      return notNow();
    case "paused":
      return refuse("OPERATOR_PAUSED", { operator: code, reason: obstacle.reason });
    case "down":
      return refuse("OPERATOR_DOWN", {
        operator: code,
        why: obstacle.lastError ?? phrase("link.connecting"),
      });
  }
}

/** Records it with its audit entry, unless there were too many. `code`: as it was asked for, with its route. */
function claim(
  { store, clock, actor, server, from, newId }: AdminContext,
  code: string,
  {
    operator,
    msisdn,
    sender,
  }: { readonly operator: string; readonly msisdn: string; readonly sender: string },
): Promise<AdminOutcome<number>> {
  return change({ store, clock, actor, server, ...(from && { from }) }, (tx, claimedAtMs) => {
    const times = listTestTimes(tx, operator, claimedAtMs - HOUR_MS);
    const oldest = times.at(-MAX_AN_HOUR);
    if (oldest !== undefined)
      return refuse("TOO_MANY_TESTS", { operator, tests: MAX_AN_HOUR, at: oldest + HOUR_MS });
    const ulid = newId();
    const value = claimTestMessage(tx, {
      ulid,
      operator,
      msisdn,
      sender,
      actor,
      claimedAtMs,
      unmatchedBefore: readLastUnmatchedId(tx),
      isAlert: false,
    });
    const detail = { message_id: ulid, to: msisdn, sender };
    return done({ value, audit: { action: "operator test", subject: code, detail } });
  });
}

/** Polls until it is final or the time is up. */
async function untilOver(
  context: AdminContext,
  id: number,
  receipts: boolean,
  waitSeconds: number,
): Promise<void> {
  const { clock, breakOff } = context;
  const untilMs = clock.steadyMs() + waitSeconds * 1000;
  while (!isOver(rowOf(context, id), receipts) && clock.steadyMs() < untilMs) {
    await wait(clock, LOOK_MS);
    breakOff?.throwIfAborted();
  }
}

function rowOf({ store }: AdminContext, id: number): TestMessageRow {
  const row = readTestMessage(store.read, id);
  assert(row, "a test text that was claimed is kept");
  return row;
}

/** The last test messages, newest first, with their outcomes. */
export function operatorTests({ store, config }: AdminContext, operator: string | null, limit: number) {
  const tests = listLatestTests(store.read, operator, limit).map((row: TestMessageRow) => ({
    at: isoUtc(row.claimedAtMs),
    by: row.actor,
    ...operatorTestView(row, config.operators[row.operator]?.receipts ?? true),
  }));
  return done({ tests });
}

export const TEST_OPERATIONS = {
  "operator test": operation({
    needsServer: true,
    params: {
      code: word("CODE", OPERATOR),
      msisdn: word("MSISDN", text("MSISDN", 100)),
      text: optional(text("TEXT", 160)),
      sender: optional(text("NAME", 100)),
      wait: otherwise(60, whole("SECONDS", { minimum: 0, maximum: MAX_WAIT_SECONDS })),
    },
    run: (context, { code, wait: waitSeconds, ...asked }) =>
      operatorTest(context, code, { ...asked, waitSeconds, anyNumber: true }),
  }),
  "operator tests": operation({
    does: "reads",
    params: { operator: optional(OPERATOR), limit: limit(100, 1000) },
    run: (context, { operator, limit: most }) => operatorTests(context, operator, most),
  }),
};

// Test messages over a WhatsApp number, outside all accounts, followed to delivery.

/** The test route over a number; null where the code is of another channel. */
function planTestByNumber(
  context: AdminContext,
  code: string,
  { sender, text }: OperatorTestRequest,
): AdminOutcome<TestRoute> | null {
  const number = toWhatsAppNumber(code);
  if (number === null) return null;
  if (sender !== null) return refuse("INVALID_SENDER.of_number");
  const what = postedAs(context, { code, number }, text);
  if (!what.ok) return what;
  const line = context.server?.numberTests(code) ?? null;
  if (line === null) return notNow();
  return done({
    obstacle: line.obstacle,
    sender: code,
    receipts: true,
    offer: (id, msisdn) => offerToNumber(context, line, { id, msisdn, what: what.value }),
  });
}

/** The post for a text, which must match a sendable template, filled in. */
function postedAs(
  { config, store }: AdminContext,
  { code, number: name }: { readonly code: string; readonly number: string },
  text: string | null,
): AdminOutcome<PostContent> {
  if (text === null) return refuse("INVALID_TEXT.of_template", { operator: code });
  const number = config.whatsapp.numbers[name];
  for (const template of number === undefined ? [] : readTemplates(store.read, number.waba_id)) {
    const what = template.whyNot === null ? composePost(template, text) : null;
    if (what !== null) return done(what);
  }
  return refuse("INVALID_TEXT.of_no_template", { operator: code });
}

/** Has a number post a text whose row is durable; the returned function withdraws it if it has not left. */
function offerToNumber(
  { store, clock }: AdminContext,
  line: NumberTestMessages,
  test: { readonly id: number; readonly msisdn: string; readonly what: PostContent },
): () => Promise<void> {
  const { id, msisdn, what } = test;
  const ulid = readTestMessage(store.read, id)?.ulid ?? "";
  const takeBack = line.offer({
    msisdn,
    what,
    opaque: encodeOpaque(ulid, 1),
    left: () => store.write((tx) => recordTestSubmit(tx, id, null, clock.nowMs())),
    answered: (answer) => noteAnswer({ store, clock }, id, answer),
  });
  return async () => {
    if (takeBack()) await store.write((tx) => recordTestUnaccepted(tx, id, "not_sent"));
  };
}

function noteAnswer(
  { store, clock }: Pick<AdminContext, "store" | "clock">,
  id: number,
  answer: PostAnswer,
): Promise<void> {
  return store.write((tx) => {
    const atMs = clock.nowMs();
    switch (answer.kind) {
      case "accepted":
        recordTestResponse(tx, id, { outcome: "accepted", atMs, commandStatus: 0, remoteId: answer.wamid });
        return;
      case "refused": {
        const commandStatus = answer.code ?? answer.httpStatus;
        recordTestResponse(tx, id, { outcome: "refused", atMs, commandStatus, remoteId: null });
        return;
      }
      case "not_read":
        recordTestUnaccepted(tx, id, "not_sent");
        return;
      case "unanswered":
        recordTestUnaccepted(tx, id, "unanswered");
    }
  });
}

// The interface of test messages, whatever the channel.

type OperatorTestRequest = {
  readonly msisdn: string;
  /** Null: one that names the operator and the time. */
  readonly text: string | null;
  readonly sender: string | null;
  readonly waitSeconds: number;
  /** Whether a number outside the operator's prefixes is accepted: it may have been ported there. */
  readonly anyNumber: boolean;
};

type TestRoute = {
  readonly obstacle: () => TestObstacle | null;
  readonly sender: string;
  /** Whether delivery is reported. */
  readonly receipts: boolean;
  /** Hands over a durable test message; the returned function withdraws it if it has not left. */
  readonly offer: (id: number, msisdn: string) => () => Promise<void>;
};

function notNow() {
  return refuse("NOT_NOW");
}
