/**
 * Plans a batch of SMS: numbers by who owns them, segments by their alphabet, prices by operator. It imports nothing of channels/sms,
 * which may not know this room.
 */

import { operatorMaxSegments } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import type { Log } from "../../core/log.ts";
import { accepted, refuse, withFaults } from "../../core/refusals.ts";
import type { Store } from "../../db/store.ts";
import { phrase } from "../../i18n/phrase.ts";
import { applyTextPolicy } from "../../text/rewrite.ts";
import { normalizeText } from "../../text/segments.ts";
import { compileTemplate, render } from "../../text/template.ts";
import type { Account } from "../accounts/accounts.ts";
import { findPrice } from "../accounts/prices.ts";
import type { NewBatch } from "../messages/insert.ts";
import type { ChannelTerms, IntakeChannel, OperatorRoute } from "./intake-channel.ts";
import { NumberOwners } from "./ported-numbers.ts";

export type SmsIntakeDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read">;
  readonly log: Log;
};

export function smsIntake(deps: SmsIntakeDeps): IntakeChannel {
  const owners = new NumberOwners(() => deps.settings.now().operators, deps.store.read);
  return {
    carry: (_, { template, ...written }) => {
      if (template !== null) {
        const message = phrase("fault.template.of_sms");
        return withFaults(refuse("VALIDATION_FAILED.sms_template"), [{ path: "/template", message }]);
      }
      return accepted({ body: bodyUnder(written), chargeOn: null, channelNote: null });
    },
    termsOf: (account, batch) => ({
      owner: owners.now(),
      lookUp: owners.lookUp,
      routeOf: routesFor(deps, account, batch),
      textFor: smsTexts(batch),
      encodings: ["GSM7", "UCS2"],
      warnings: () => [],
    }),
  };
}

/**
 * The body as it is kept. One without tags that is rewritten is kept rewritten, so that no message has a text of its own; unless
 * what it comes to would be read as a tag.
 */
function bodyUnder({ body, otherTags, textPolicy }: Written): string {
  if (textPolicy === "as_is" || compileTemplate(body, otherTags).hasTags) return body;
  const { text } = applyTextPolicy(normalizeText(body), textPolicy);
  return compileTemplate(text, otherTags).hasTags ? body : text;
}

type Written = Pick<NewBatch, "body" | "otherTags" | "textPolicy">;

/** The texts of a batch as each policy has them sent. */
export function smsTexts({ body, otherTags, textPolicy }: Written): ChannelTerms["textFor"] {
  const template = compileTemplate(body, otherTags);
  return (attributes) => {
    const written = render(template, attributes);
    if (written === null) return null;
    const { text: rendered, weight } = applyTextPolicy(written, textPolicy);
    const { encoding, segments } = weight;
    if (rendered.trim() === "") return "RENDERED_BODY_EMPTY";
    if (textPolicy === "gsm_only" && encoding === "UCS2") return "NOT_GSM7";
    return { written, rendered, encoding, segments };
  };
}

/** What each operator means for the batch; null for one without a price. */
function routesFor(
  { settings, store, log }: SmsIntakeDeps,
  account: Account,
  batch: NewBatch,
): ChannelTerms["routeOf"] {
  const { operators } = settings.now();
  const known = new Map<string, OperatorRoute | null>();
  return (code) => {
    const found = known.get(code);
    if (found !== undefined) return found;
    const operator = operators[code];
    assert(operator, `operator ${code} owns a number, so it is configured`);
    const price = findPrice(store.read, account.id, code, batch.messageClass, operator.price);
    if (price === null) log.error("a batch was refused: the operator has no price", { operator: code });
    const route =
      price === null ? null : { price, maxSegments: operatorMaxSegments(operator, batch.messageClass) };
    known.set(code, route);
    return route;
  };
}
