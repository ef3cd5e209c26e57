/** The page "Settings": what the console writes of the configuration, shown as a difference before it is put in force. */
import { type Static, Type as t } from "typebox";
import {
  applySettings,
  consoleSettings,
  previewSettings,
  type SettingsChange,
} from "../../../admin/operations/console-settings.ts";
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import { MESSAGE_CLASSES } from "../../../domain/accounts/message-class.ts";
import { type Phrase, paramsIn, phrase } from "../../../i18n/phrase.ts";
import { shownTo, toQuotedFault } from "./appliance.ts";
import { type PageContext, told } from "./request-context.ts";
import { route } from "./route.ts";
import { nullable } from "./schemas.ts";

// Bounds of a request alone: what a setting takes is said by the configuration's own schema.

const TEXT = t.String({ maxLength: 300 });
const CODE = t.String({ minLength: 1, maxLength: 32 });
const NO_OTHERS = { additionalProperties: false };
const LINES = t.Array(TEXT, { maxItems: 30 });

const CONNECTION = t.Object(
  {
    was: nullable(t.Integer({ minimum: 0, maximum: 31 })),
    host: TEXT,
    port: t.Integer(),
    system_id: TEXT,
    password: nullable(TEXT),
    bind: t.Union([t.Literal("transceiver"), t.Literal("transmitter"), t.Literal("receiver")]),
    window: t.Integer(),
    throughput: t.Integer(),
    /** That of an operator with routes; as it was where absent. */
    route: t.Optional(TEXT),
  },
  NO_OTHERS,
);

const SECONDS = t.Integer();
const ROUTE = t.Object(
  {
    name: t.String({ pattern: "^[a-z0-9-]{1,20}$" }),
    order: t.Integer(),
    /** XOF a segment, with up to three decimals. */
    cost: nullable(TEXT),
    classes: t.Array(t.Enum(MESSAGE_CLASSES), { maxItems: 3 }),
    yield_seconds: t.Object({ OTP: SECONDS, TRANSACTIONAL: SECONDS, MARKETING: SECONDS }, NO_OTHERS),
    reroute_on: t.Array(t.String({ maxLength: 20 }), { maxItems: 100 }),
  },
  NO_OTHERS,
);
const NEW_ROUTE = t.Object(
  {
    code: CODE,
    first: nullable(ROUTE),
    route: ROUTE,
    connections: t.Array(t.Omit(CONNECTION, ["was", "route"], NO_OTHERS), { minItems: 1, maxItems: 32 }),
  },
  NO_OTHERS,
);

const OPERATOR = t.Object(
  {
    code: CODE,
    is_new: t.Boolean(),
    name: TEXT,
    prefixes: t.Array(t.String({ maxLength: 20 }), { maxItems: 1000 }),
    price: nullable(t.Integer()),
    receipts: t.Boolean(),
    connections: t.Array(CONNECTION, { maxItems: 32 }),
  },
  NO_OTHERS,
);

const KEYS = t.Object(
  {
    "server.public_url": t.Optional(TEXT),
    "seller.name": t.Optional(TEXT),
    "seller.address": t.Optional(LINES),
    "seller.tax_numbers": t.Optional(LINES),
    "alerts.email": t.Optional(LINES),
    "alerts.sms": t.Optional(LINES),
    "alerts.smtp.host": t.Optional(TEXT),
    "alerts.smtp.port": t.Optional(t.Integer()),
    "alerts.smtp.tls": t.Optional(t.Union([t.Literal("starttls"), t.Literal("implicit"), t.Literal("none")])),
    "alerts.smtp.user": t.Optional(TEXT),
    "alerts.smtp.password": t.Optional(nullable(TEXT)),
    "alerts.smtp.from": t.Optional(TEXT),
  },
  NO_OTHERS,
);

/** One of these. */
const CHANGE = t.Object({
  operator: t.Optional(OPERATOR),
  route: t.Optional(NEW_ROUTE),
  remove: t.Optional(CODE),
  keys: t.Optional(KEYS),
  undo: t.Optional(t.Literal(true)),
});
const DECIDED = t.Object({ ...CHANGE.properties, revision: t.String({ maxLength: 64 }) });

function changeIn({
  operator,
  route,
  remove,
  keys,
  undo,
}: Static<typeof CHANGE>): AdminOutcome<SettingsChange> {
  if (operator !== undefined) {
    const { is_new: isNew, code, ...rest } = operator;
    return done({ kind: "operator", code: code.toLowerCase(), isNew, ...rest });
  }
  if (route !== undefined) return done({ kind: "route", ...route });
  if (remove !== undefined) return done({ kind: "remove", code: remove });
  if (keys !== undefined) return done({ kind: "keys", values: keys });
  return undo ? done({ kind: "undo" }) : refuse("NOTHING_TO_CHANGE");
}

/** A fault with the key that a form shows it at: where it is about none of its fields, in full. */
function toFieldFault(translate: (words: Phrase) => string) {
  const quoted = toQuotedFault(translate);
  return (fault: Phrase) => {
    const ofKey = paramsIn(fault, "config.fault.of_key");
    const { text, key, line } = quoted(fault);
    if (ofKey === null) return { text, key, line, at_field: null };
    const { found, expected } = ofKey;
    return { text, key, line, at_field: translate(phrase("config.fault.at_field", { found, expected })) };
  };
}

async function settingsPage(asked: PageContext) {
  const view = await consoleSettings(asked.context);
  if (!view.ok) return view;
  const { faults, ...rest } = view.value;
  return told(
    asked,
    done({
      ...rest,
      faults: faults.map(toQuotedFault(asked.translate)),
      /** The server was started with no file that could be read or written, as the demo is. */
      is_without_file: faults.some(({ code }) => code === "config.no_file"),
    }),
  );
}

async function preview(asked: PageContext, brought: Static<typeof CHANGE>) {
  const change = changeIn(brought);
  if (!change.ok) return change;
  const previewed = await previewSettings(asked.context, change.value);
  if (!previewed.ok) return previewed;
  const { revision, faults, changes, restart } = previewed.value;
  return told(
    asked,
    done({
      revision,
      changes: [...changes, ...restart].map(shownTo(asked)),
      faults: faults.map(toFieldFault(asked.translate)),
    }),
  );
}

async function apply(asked: PageContext, { revision, ...brought }: Static<typeof DECIDED>) {
  const change = changeIn(brought);
  if (!change.ok) return change;
  const applied = await applySettings(asked.context, change.value, revision);
  if (!applied.ok) return applied;
  const { changes, restart } = applied.value;
  return told(asked, done({ changes: changes.map(shownTo(asked)), restart: restart.map(shownTo(asked)) }));
}

export const SETTINGS_ROUTES = {
  "GET /settings": route("settings.read", settingsPage),
  "POST /settings/preview": route("settings.change", preview, { body: CHANGE }),
  "POST /settings": route("settings.change", apply, { body: DECIDED }),
};
