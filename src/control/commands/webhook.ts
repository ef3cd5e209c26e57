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

const WEBHOOK: Positional = { name: "WEBHOOK" };

export const WEBHOOK_COMMANDS: readonly AdminCommand[] = [
  {
    name: "webhook list",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [{ ...MODE_FLAG }],
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
    positionals: [WEBHOOK],
    flags: [],
    run: (context, args) => webhookShow(context, needed(args, WEBHOOK.name)),
  },
  {
    name: "webhook update",
    positionals: [WEBHOOK],
    flags: [
      { name: "url", value: "URL" },
      { name: "events", value: "A,B", told: { events: EVENT_TYPES.join(", ") } },
      { name: "description", value: "TEXT" },
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
    positionals: [WEBHOOK],
    flags: [],
    run: (context, args) => webhookEnable(context, needed(args, WEBHOOK.name)),
  },
  {
    name: "webhook disable",
    positionals: [WEBHOOK],
    flags: [{ name: "reason", value: "TEXT", isRequired: true }],
    run: (context, args) => webhookDisable(context, needed(args, WEBHOOK.name), needed(args, "reason")),
  },
  {
    name: "webhook delete",
    positionals: [WEBHOOK],
    flags: [],
    run: (context, args) => webhookDelete(context, needed(args, WEBHOOK.name)),
  },
  {
    name: "webhook test",
    positionals: [WEBHOOK],
    flags: [],
    run: (context, args) => webhookTest(context, needed(args, WEBHOOK.name)),
  },
  {
    name: "webhook replay",
    positionals: [WEBHOOK],
    flags: [{ name: "since", value: "ISO", isRequired: true }],
    run: (context, args) => {
      const since = readTime(needed(args, "since"));
      return since.ok ? webhookReplay(context, needed(args, WEBHOOK.name), since.value.beginMs) : since;
    },
  },
  {
    name: "webhook status",
    does: "reads",
    positionals: [],
    flags: [],
    run: (context) => webhookStatus(context),
  },
];
