/** Bugs that somebody could make in what Meta tells of templates and users, and in text that goes without a template. */
import type { Plant } from "./plant.ts";

const WHATSAPP = { options: ["--messages", "400", "--faults", "whatsapp"] } as const;

export const OF_TOLD: readonly Plant[] = [
  {
    name: "news-of-templates-ignored",
    bug: "what the webhook says of a template that is paused or disabled changes nothing before the next reading: it is sent with",
    edits: [
      {
        file: "src/channels/whatsapp/template-updates.ts",
        find: "      stop(tx, key, said.status, { toldMs, nowMs });\n",
        replace: "",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "moved-template-is-sent",
    bug: "nobody looks at the category of a template when a message is claimed: one that Meta has moved is sent, and billed as what it is now",
    edits: [
      {
        file: "src/channels/whatsapp/compose-post.ts",
        find: "if (template.category !== META_CATEGORIES[batch.messageClass] || !isTextOf(template, pieces)) {",
        replace: "if (!isTextOf(template, pieces)) {",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "dear-deliveries-ignored",
    bug: "deliveries that Meta bills as another category stop no template: whoever sends pays more than is charged",
    edits: [
      {
        file: "src/channels/whatsapp/category-prices.ts",
        find: "const MAX_MISPRICED = 2;",
        replace: "const MAX_MISPRICED = 200;",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "price-stop-ends-with-a-reading",
    bug: "a template that was stopped for its price goes on when the templates are read, and no person has looked",
    edits: [
      {
        file: "src/channels/whatsapp/template-rows.ts",
        find: "synced_at = excluded.synced_at`,",
        replace: "synced_at = excluded.synced_at, price_stopped_at = NULL`,",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "announced-move-forgotten",
    bug: "a move that Meta announces is told to nobody before it is made",
    edits: [
      {
        file: "src/channels/whatsapp/template-updates.ts",
        find: "return announce(tx, key, said, known, { toldMs, nowMs });",
        replace: 'return announce.length > 0 ? "noted" : announce(tx, key, said, known, { toldMs, nowMs });',
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "news-of-quality-ignored",
    bug: "what Meta says it thinks of a template is not shown before the next reading",
    edits: [
      {
        file: "src/channels/whatsapp/template-updates.ts",
        find: "      judge(tx, key, said.quality, { toldMs, nowMs });\n",
        replace: "",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "written-stop-ignored",
    bug: "a STOP that a user writes to a number is kept as a text, and the user goes on getting advertising",
    edits: [
      {
        file: "src/domain/inbound/inbound.ts",
        find: "    word === null || msisdn === null\n      ? []",
        replace: "    word === null || msisdn === null || word.length > 0\n      ? []",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "pressed-stop-ignored",
    bug: "what a user presses as a button is no text: whoever stops so goes on getting advertising",
    edits: [
      {
        file: "src/channels/whatsapp/user-events.ts",
        find: '    case "button": {',
        replace: '    case "no button": {',
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "stop-for-every-number",
    bug: "a STOP that is said to one number stops the advertising of accounts that have no sender with it",
    edits: [
      {
        file: "src/domain/inbound/opt-out.ts",
        find: "  const all = accountsRegisteredWith(tx, operator);",
        replace: "  const all = listAccounts(tx).map(({ id }) => id);",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "resume-ignored",
    bug: "whoever takes advertising again in WhatsApp gets none for ever",
    edits: [
      {
        file: "src/channels/whatsapp/users.ts",
        find: "  liftChannelOptOut(tx, { operator, msisdn, stoppedAt }, nowMs);\n",
        replace: "",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "resume-lifts-everything",
    bug: "who takes advertising again in WhatsApp is taken off the list that an administrator, or the user's own STOP, put them on",
    edits: [
      {
        file: "src/domain/inbound/opt-out.ts",
        find: 'removeSuppression(tx, id, msisdn, "MARKETING", "META")',
        replace: 'removeSuppression(tx, id, msisdn, "MARKETING", null)',
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "resume-at-another-number",
    bug: "a stop that was said to one number is lifted by what is said to another",
    edits: [
      {
        file: "src/domain/inbound/opt-out.ts",
        find: "    if (kept.has(id)) continue;\n",
        replace: "",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "free-advertising",
    bug: "advertising that no template says goes without one, as if it were news of an order",
    edits: [
      {
        file: "src/channels/whatsapp/batch-preparation.ts",
        find: 'if (!mayBeFree || messageClass === "MARKETING") return',
        replace: "if (!mayBeFree) return",
      },
      {
        file: "src/channels/whatsapp/match-template.ts",
        find: '  TRANSACTIONAL: { category: "utility", longest: 43_200 },\n',
        replace:
          '  TRANSACTIONAL: { category: "utility", longest: 43_200 },\n  MARKETING: { category: "utility", longest: 43_200 },\n',
      },
      {
        file: "src/channels/whatsapp/compose-post.ts",
        find: '  if (messageClass === "MARKETING") return null;\n',
        replace: "",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "leave-taken-and-sent",
    bug: "text without a template leaves though the leave to send so was taken from its number meanwhile",
    edits: [
      {
        file: "src/channels/whatsapp/compose-post.ts",
        find: "if (!number.direct_send) return",
        replace: "if (!number.direct_send && note.lifeSeconds <= 0) return",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "dear-text-goes-on",
    bug: "text without a template goes on though Meta has billed it as another category twice",
    edits: [
      {
        file: "src/channels/whatsapp/category-prices.ts",
        find: "return read.known<{ pricedAs: string }>(sql, operator, messageClass)?.pricedAs ?? null;",
        replace:
          "return read.known<{ pricedAs: string }>(sql, operator, messageClass)?.pricedAs.slice(0, 0) || null;",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "free-text-tried-for-hours",
    bug: "Meta tries with text without a template as long as it may, long after that is not worth sending any more",
    edits: [
      {
        file: "src/channels/whatsapp/compose-post.ts",
        find: "Math.min(longest, leftSeconds)",
        replace: "Math.max(longest, leftSeconds)",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "taken-back-and-delivered",
    bug: "a post that Meta took back and delivered all the same is made again, or fails, though the user has it",
    edits: [
      {
        file: "src/domain/messages/transitions.ts",
        find: 'if (state === "DELIVERED" && isSentBack(known) && isQueuedAgain(before)) {',
        replace: 'if (state === "DELIVERED" && isSentBack(known) && before.attempts < 0) {',
      },
    ],
    ...WHATSAPP,
  },
];
