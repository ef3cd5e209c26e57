/** One text of an administrator by a number of WhatsApp, outside all accounts, followed to its delivery. */

import { trialAnswered, trialById, trialLeft, trialUnaccepted } from "../../channels/sms/trial-rows.ts";
import type { PostAnswer } from "../../channels/whatsapp/post-answer.ts";
import { opaqueOf, type WhatIsPosted } from "../../channels/whatsapp/post-body.ts";
import { templatesOf } from "../../channels/whatsapp/template-rows.ts";
import type { TestPosts } from "../../channels/whatsapp/test-posts.ts";
import { postOfText } from "../../channels/whatsapp/wording.ts";
import { numberOfOperator } from "../../config/whatsapp-codes.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { notNow, type OperatorTestAsked, type TestWay } from "./test-way.ts";

/** The way of a test by a number; null where the code is of another channel. */
export function wayByNumber(
  context: AdminContext,
  code: string,
  { sender, text }: OperatorTestAsked,
): AdminOutcome<TestWay> | null {
  const number = numberOfOperator(code);
  if (number === null) return null;
  if (sender !== null) return refuse("INVALID_SENDER.of_number");
  const what = postedAs(context, { code, number }, text);
  if (!what.ok) return what;
  const line = context.server?.numberTests(code) ?? null;
  if (line === null) return notNow();
  return done({
    hindrance: line.hindrance,
    sender: code,
    receipts: true,
    offer: (id, msisdn) => offerToNumber(context, line, { id, msisdn, what: what.value }),
  });
}

/** What is posted for a text, which must be that of a template that can be sent, filled in. */
function postedAs(
  { config, store }: AdminContext,
  { code, number: name }: { readonly code: string; readonly number: string },
  text: string | null,
): AdminOutcome<WhatIsPosted> {
  if (text === null) return refuse("INVALID_TEXT.of_template", { operator: code });
  const number = config.whatsapp.numbers[name];
  for (const template of number === undefined ? [] : templatesOf(store.read, number.waba_id)) {
    const what = template.whyNot === null ? postOfText(template, text) : null;
    if (what !== null) return done(what);
  }
  return refuse("INVALID_TEXT.of_no_template", { operator: code });
}

/** Has a number post a text whose row is durable; the function that it returns takes it back where it has not left. */
function offerToNumber(
  { store, clock }: AdminContext,
  line: TestPosts,
  test: { readonly id: number; readonly msisdn: string; readonly what: WhatIsPosted },
): () => Promise<void> {
  const { id, msisdn, what } = test;
  const ulid = trialById(store.read, id)?.ulid ?? "";
  const takeBack = line.offer({
    msisdn,
    what,
    opaque: opaqueOf(ulid, 1),
    left: () => store.write((tx) => trialLeft(tx, id, null, clock.nowMs())),
    answered: (answer) => noteAnswer({ store, clock }, id, answer),
  });
  return async () => {
    if (takeBack()) await store.write((tx) => trialUnaccepted(tx, id, "not_sent"));
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
        trialAnswered(tx, id, { outcome: "accepted", atMs, commandStatus: 0, remoteId: answer.wamid });
        return;
      case "refused": {
        const commandStatus = answer.code ?? answer.httpStatus;
        trialAnswered(tx, id, { outcome: "refused", atMs, commandStatus, remoteId: null });
        return;
      }
      case "not_read":
        trialUnaccepted(tx, id, "not_sent");
        return;
      case "unanswered":
        trialUnaccepted(tx, id, "unanswered");
    }
  });
}
