import { EVENT_TYPES, isEventType } from "../../events/catalogue.ts";
import { refuse } from "../../operations/refusal.ts";
import { readTime } from "../../operations/typed-values.ts";
import {
  webhookDelete,
  webhookDisable,
  webhookEnable,
  webhookList,
  webhookReplay,
  webhookShow,
  webhookStatus,
  webhookTest,
  webhookUpdate,
} from "../../operations/webhooks.ts";
import { ACCOUNT, type AdminCommand, needed, optional, type Positional } from "../command.ts";
import { readList } from "./list.ts";
import { MODE_FLAG, readMode } from "./mode.ts";

const WEBHOOK: Positional = { name: "WEBHOOK", help: "the webhook's id" };

export const WEBHOOK_COMMANDS: readonly AdminCommand[] = [
  {
    name: "webhook list",
    does: "reads",
    summary: "list an account's webhook endpoints, newest first, and what waits for them",
    positionals: [ACCOUNT],
    flags: [{ ...MODE_FLAG, help: "test: the endpoints of the account's sandbox; live without this" }],
    table: {
      rows: "webhooks",
      columns: [
        ...["webhook_id", "status", "consecutive_failures", "backlog.waiting", "backlog.retrying"],
        ...["backlog.next_attempt_at", "last_success_at", "last_failure_at", "url"],
      ],
    },
    run: (context, args) => {
      const mode = readMode(args);
      return mode.ok ? webhookList(context, needed(args, ACCOUNT.name), mode.value) : mode;
    },
  },
  {
    name: "webhook show",
    does: "reads",
    summary: "show an endpoint, what waits for it and its last attempts",
    positionals: [WEBHOOK],
    flags: [],
    run: (context, args) => webhookShow(context, needed(args, WEBHOOK.name)),
  },
  {
    name: "webhook update",
    summary: "change an endpoint's URL, events or description",
    positionals: [WEBHOOK],
    flags: [
      { name: "url", value: "URL", help: "an https: URL without credentials" },
      { name: "events", value: "A,B", help: `${EVENT_TYPES.join(", ")}, or all` },
      { name: "description", value: "TEXT", help: "a label" },
    ],
    run: (context, args) => {
      const url = optional(args, "url");
      const description = optional(args, "description");
      const events = optional(args, "events");
      const list = events === null ? null : readList(events, EVENT_TYPES, isEventType);
      if (list && (list.unknown !== null || list.known.length === 0)) {
        const text = list.unknown ?? events ?? "";
        return refuse("INVALID_EVENT", { text, known: EVENT_TYPES.join(", ") });
      }
      return webhookUpdate(context, needed(args, WEBHOOK.name), {
        ...(url === null ? {} : { url }),
        ...(description === null ? {} : { description }),
        ...(list === null ? {} : { events: list.known }),
      });
    },
  },
  {
    name: "webhook enable",
    summary: "enable an endpoint: it is told of what happens from now on",
    positionals: [WEBHOOK],
    flags: [],
    run: (context, args) => webhookEnable(context, needed(args, WEBHOOK.name)),
  },
  {
    name: "webhook disable",
    summary: "disable an endpoint and drop what waits for it",
    positionals: [WEBHOOK],
    flags: [{ name: "reason", value: "TEXT", help: "why; its account is shown it", isRequired: true }],
    run: (context, args) => webhookDisable(context, needed(args, WEBHOOK.name), needed(args, "reason")),
  },
  {
    name: "webhook delete",
    summary: "remove an endpoint for good",
    positionals: [WEBHOOK],
    flags: [],
    run: (context, args) => webhookDelete(context, needed(args, WEBHOOK.name)),
  },
  {
    name: "webhook test",
    summary: "send a signed test event and tell what the receiver made of it",
    positionals: [WEBHOOK],
    flags: [],
    run: (context, args) => webhookTest(context, needed(args, WEBHOOK.name)),
  },
  {
    name: "webhook replay",
    summary: "tell an endpoint again of what happened since a time, under the same event ids",
    positionals: [WEBHOOK],
    flags: [
      { name: "since", value: "ISO", help: "a date or date-time; UTC unless it says", isRequired: true },
    ],
    run: (context, args) => {
      const since = readTime(needed(args, "since"));
      return since.ok ? webhookReplay(context, needed(args, WEBHOOK.name), since.value.beginMs) : since;
    },
  },
  {
    name: "webhook status",
    does: "reads",
    summary: "show how delivery to all endpoints goes since the server started",
    positionals: [],
    flags: [],
    run: (context) => webhookStatus(context),
  },
];
