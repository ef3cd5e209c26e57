/** Scenes over Meta's Cloud API: numbers, templates, batches by WhatsApp, posts, and calls of the webhook. */
import { type History, historyOf } from "./history.ts";
import { delivered, idOf, opening, page, registered, type Scene, SETTINGS } from "./scene.ts";

export const AWA = "22607000001";

const NUMBERS = {
  main: { phone_number_id: "100", token: "t", price: { OTP: 1, TRANSACTIONAL: 1, MARKETING: 1 } },
  other: { phone_number_id: "200", token: "t", price: { OTP: 1, TRANSACTIONAL: 1, MARKETING: 1 } },
};

/** The texts by class; "free" is no template's. */
const BODIES = {
  OTP: {
    name: "code",
    category: "AUTHENTICATION",
    body: "{{1}} est votre code.",
    asked: "{x} est votre code.",
  },
  TRANSACTIONAL: { name: "pret", category: "UTILITY", body: "{{1}} est là.", asked: "{x} est là." },
  MARKETING: { name: "offre", category: "MARKETING", body: "{{1}} : venez.", asked: "{x} : venez." },
} as const;

type MessageClass = keyof typeof BODIES;

export type CloudScene = {
  readonly scene: Scene;
  /** An account submits to Awa, and the batch is accepted under this number, or refused for its text. */
  readonly submit: (n: number, asked?: Asked) => void;
  readonly post: (n: number, posted?: Posted) => string;
  readonly told: (wamid: string, status: string, category?: string, isBillable?: boolean) => void;
  /** A call of the webhook. */
  readonly call: (field: string, value: object, isTaken?: boolean) => void;
  readonly says: (what: string, phone?: string) => void;
  readonly prefers: (value: "stop" | "resume", at: number, phone?: string) => void;
  /** Meta has it so from now on. */
  readonly template: (
    of: MessageClass,
    state: { status?: string; category?: string; quality?: string },
  ) => void;
  readonly read: () => void;
};

type Asked = {
  readonly account?: string;
  readonly messageClass?: MessageClass;
  readonly body?: string;
};
type Posted = { readonly phone?: string; readonly ttl?: number; readonly isFree?: boolean };

/** What is shown at rest. */
export type AtRest = {
  /** Of messages by the numbers of their batches. */
  readonly messages?: readonly (readonly [n: number, changes: Readonly<Record<string, unknown>>])[];
  readonly lists?: Readonly<Record<string, readonly object[]>>;
  readonly templates?: readonly object[];
  readonly alerts?: readonly object[];
};

export type SceneOptions = {
  readonly numbers?: Readonly<Record<string, object>>;
  /** The numbers that each account's sender is known to. */
  readonly accounts?: Readonly<Record<string, readonly string[]>>;
};

/** What was seen of what happens, and of what is asked at rest. */
export function cloudHistory(
  during: (kit: CloudScene) => void,
  atRest: AtRest = {},
  { numbers = {}, accounts = { alpha: ["main", "other"] } }: SceneOptions = {},
): History {
  const scene = opening(Object.keys(accounts));
  const own = Object.entries(NUMBERS).map(([code, number]) => [code, { ...number, ...numbers[code] }]);
  scene.see({
    kind: "settings",
    document: { ...SETTINGS, whatsapp: { numbers: Object.fromEntries(own) } },
  });
  for (const [name, codes] of Object.entries(accounts)) {
    registered(scene, name, ...codes.map((code) => `whatsapp:${code}`));
  }
  scene.ask(
    { client: "alpha", path: "/account/balance" },
    { status: 200, json: { data: { as_of: "2026-01-01T00:00:10Z" } } },
  );
  const kit = kitOf(scene);
  for (const of of Object.keys(BODIES) as MessageClass[]) kit.template(of, {});
  scene.wait();
  kit.read();
  scene.wait(30_000);
  during(kit);
  scene.wait(30_000);
  scene.see({ kind: "rest" });
  shownAtRest(scene, Object.keys(accounts), atRest);
  return historyOf(scene.observations);
}

function kitOf(scene: Scene): CloudScene {
  let ids = 0;
  const classes = new Map<number, MessageClass>();
  const call: CloudScene["call"] = (field, value, isTaken = true) => {
    ids += 1;
    const body = JSON.stringify({ entry: [{ time: ids, changes: [{ field, value }] }] });
    scene.see({ kind: "call", id: ids, body, isForged: false });
    scene.see({ kind: "call answer", id: ids, status: isTaken ? 200 : 503 });
  };
  const at = (phone: string) => ({ metadata: { phone_number_id: phone } });
  return {
    scene,
    call,
    submit: (n, { account = "alpha", messageClass = "MARKETING", body } = {}) => {
      classes.set(n, messageClass);
      const asked = {
        sender: "BENDRE",
        message_class: messageClass,
        channel: "WHATSAPP",
        body: body ?? BODIES[messageClass].asked,
        recipients: [{ msisdn: `+${AWA}`, attributes: { x: `v${n}` } }],
      };
      const request = { client: account, method: "POST", path: "/batches", body: asked } as const;
      const data = { batch_id: idOf(n), status: "QUEUED", accepted: 1, rejected: 0, rejections: [] };
      scene.ask({ ...request, headers: { "idempotency-key": `k${n}` } }, { status: 202, json: { data } });
    },
    post: (n, { phone = "100", ttl, isFree = false } = {}) => {
      ids += 1;
      const of = BODIES[classes.get(n) ?? "MARKETING"];
      const says = isFree ? { ttl_seconds: ttl } : { template: { name: of.name } };
      const opaque = { biz_opaque_callback_data: `${idOf(500 + n)}.1` };
      const text = of.body.replace("{{1}}", `v${n}`);
      const seen = { phone, token: "t", text, category: of.category.toLowerCase() };
      scene.see({ kind: "post", id: ids, ...seen, body: JSON.stringify({ to: AWA, ...says, ...opaque }) });
      const wamid = `wamid.${ids}`;
      scene.see({ kind: "post answer", id: ids, answer: 200, code: null, wamid, isBillable: true });
      scene.see({ kind: "post heard", id: ids });
      return wamid;
    },
    told: (wamid, status, category = "marketing", billable = true) => {
      const pricing = { billable, category };
      call("messages", { statuses: [{ id: wamid, status, pricing, biz_opaque_callback_data: "x" }] });
    },
    says: (what, phone = "100") => {
      const message = { id: `in.${ids + 1}`, from: AWA, type: "text", text: { body: what } };
      call("messages", { ...at(phone), messages: [message] });
    },
    prefers: (value, timestamp, phone = "100") =>
      call("user_preferences", {
        ...at(phone),
        user_preferences: [{ wa_id: AWA, value, timestamp: String(timestamp) }],
      }),
    template: (of, state) => {
      const { name, category, body } = BODIES[of];
      const first = { status: "APPROVED", category, quality: "GREEN" };
      scene.see({ kind: "template", name, body, ...first, ...state });
    },
    read: () => {
      ids += 1;
      scene.see({ kind: "templates read", id: ids, status: 200 });
    },
  };
}

function shownAtRest(
  scene: Scene,
  accounts: readonly string[],
  { messages = [], lists = {}, templates, alerts = [] }: AtRest,
): void {
  for (const account of accounts) {
    const rows = messages.flatMap(([n, { client = "alpha", ...changes }]) =>
      client === account
        ? [
            delivered(idOf(n), 0, {
              message_id: idOf(500 + n),
              channel: "WHATSAPP",
              msisdn: `+${AWA}`,
              operator: "whatsapp:main",
              message_class: "MARKETING",
              ...changes,
            }),
          ]
        : [],
    );
    scene.ask({ client: account, path: "/messages?status_changed_since=2025-01-01T00:00:00Z" }, page(rows));
    const suppressions = (lists[account] ?? []).map((row) => ({
      msisdn: `+${AWA}`,
      message_class: "MARKETING",
      ...row,
    }));
    scene.command("suppression list", { ACCOUNT: account }, { data: { suppressions, next_after: null } });
  }
  if (templates === undefined) return;
  scene.command("whatsapp template", { list: "list" }, { data: { templates } });
  scene.command("alert list", {}, { data: { alerts } });
}
