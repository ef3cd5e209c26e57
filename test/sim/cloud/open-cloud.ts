/** Meta's Cloud API as it may be: takes posts or not, lists templates, and tells what became of each message by the webhook. */
import type { ActorEdges, AskCloud, CallWebhook, CloudAnswer, CloudRequest } from "../actors.ts";
import { between, forked, happens, seedFrom } from "../chance.ts";
import { habitsFrom } from "../habits.ts";
import type { CloudHabits, CloudPlan } from "../plan.ts";
import { openCaller } from "./caller.ts";
import { type CloudFate, drawFate, type ToldStatus } from "./fate.ts";
import { openShelf, type Shelf } from "./shelf.ts";
import { fieldsOf, readPost } from "./templates.ts";

export type Cloud = {
  readonly ask: AskCloud;
  /** Whether there is a connection at all for the next request. */
  readonly isReachable: () => boolean;
  readonly during: (habits: Partial<CloudHabits>, forMs: number) => void;
  readonly templates: Shelf;
  /** A user writes to a number. */
  readonly write: (text: UserTells & { readonly text: string; readonly as?: "button" | "list" }) => void;
  /** A user says what of marketing he wants. */
  readonly prefer: (
    said: UserTells & { readonly value: "stop" | "resume"; readonly agoSeconds: number },
  ) => void;
  /** No faults any more, and what waits to be told is told. */
  readonly calm: () => void;
};

type UserTells = { readonly phone: string; readonly from: string; readonly isDoubled: boolean };

export const CALM: Partial<CloudHabits> = {
  refuseConnection: 0,
  breakBefore: 0,
  breakAfter: 0,
  silent: 0,
  unsure: 0,
  refuse: 0,
  fail: 0,
  loseStatus: 0,
  forge: 0,
  foreign: 0,
  lateStatus: 0,
  contradict: 0,
  misprice: 0,
  blockDirect: 0,
};

const PATH = /^\/v\d+\.\d+\/(\d+)\/(messages|message_templates)(?:\?|$)/;
/** The same user may be written to again. */
const PAIR_MS = 6000;

export function openCloud(edges: ActorEdges, plan: CloudPlan, call: CallWebhook): Cloud {
  const { clock, observe } = edges;
  const seed = seedFrom(edges.chance);
  const habits = habitsFrom(plan.habits, clock);
  /** By Meta's clock, which nobody sets. */
  const seconds = (ago: number): string => String(Math.floor(clock.nowMs() / 1000) - ago);
  const caller = openCaller(edges, plan.appSecret, call);
  const templates = openShelf(edges, caller.tell);
  const writtenAt = new Map<string, number>();
  let taken = 0;
  let asked = 0;
  let written = 0;

  const post = (request: CloudRequest, phone: string): Promise<CloudAnswer | null> => {
    const id = ++taken;
    const now = habits.now();
    const chance = forked(seed, "post", id);
    const body = fieldsOf(parsed(request.body));
    const read = readPost(body, templates.stateOf);
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const said =
      "code" in read ? { text: null, category: null } : { text: read.text, category: read.category };
    observe({ kind: "post", id, phone, token, body: request.body, ...said });
    const isDirect = !("code" in read) && read.template === null;
    const isBlocked = happens(forked(seed, "direct", id), now.blockDirect) && isDirect;
    const to = String(body.to);
    const opaque = typeof body.biz_opaque_callback_data === "string" ? body.biz_opaque_callback_data : null;
    const delayMs = between(chance, now.answerMs);
    const fate =
      "code" in read ? refused(read.code) : isBlocked ? refused(BLOCKED) : whatBecomes(now, to, chance);
    const wamid = fate.isTaken ? `wamid.${phone}.${to}.${id}` : null;
    if (wamid !== null) {
      writtenAt.set(`${phone} ${to}`, clock.steadyMs());
      tell({ wamid, opaque, phone, to, category: billedAs(id, now, said.category ?? "", isDirect) }, fate);
    }
    if (happens(chance, now.forge)) {
      const about = { wamid: wamid ?? "wamid.x", opaque, phone, to, category: "" };
      caller.forge(statusWords(about, GOOD, true, seconds(0)));
    }
    if (happens(chance, now.foreign)) {
      const other = { wamid: `wamid.foreign.${id}`, opaque: null, phone, to, category: "" };
      caller.tell(statusWords(other, GOOD, true, seconds(0)));
    }
    return answered(id, fate, wamid, delayMs);
  };

  /** The same user twice in a moment is refused, whatever else was drawn. */
  const whatBecomes = (now: CloudHabits, to: string, chance: Parameters<typeof drawFate>[1]): CloudFate => {
    const fate = drawFate(now, chance);
    const lastMs = [...writtenAt].find(([key]) => key.endsWith(` ${to}`))?.[1];
    return lastMs !== undefined && clock.steadyMs() - lastMs < PAIR_MS ? refused(131056) : fate;
  };

  /** Text without a template that Meta finds to be advertising is told and billed as that; more is billed otherwise for no reason. */
  const billedAs = (id: number, now: CloudHabits, category: string, isDirect: boolean): string => {
    const chance = forked(seed, "price", id);
    const isMispriced = happens(chance, now.misprice);
    const isUnmasked = happens(chance, now.unmaskDirect) && isDirect && category === "utility";
    if (isUnmasked) caller.tell(unmasked(id));
    return isUnmasked ? "marketing" : isMispriced ? (OTHER_PRICE[category] ?? category) : category;
  };

  const tell = (about: About, { statuses: told, isBillable }: CloudFate): void => {
    for (const each of told) {
      const said = each.hasOpaque ? about : { ...about, opaque: null };
      clock.after(each.afterMs, () => {
        const words = statusWords(said, each, isBillable, seconds(0));
        for (let time = 0; time < each.times; time++) caller.tell(words);
      });
    }
  };

  const answered = (
    id: number,
    { answer, isBillable }: CloudFate,
    wamid: string | null,
    delayMs: number,
  ): Promise<CloudAnswer | null> =>
    new Promise((resolve) => {
      clock.after(delayMs, () => {
        const about = { kind: "post answer", id, wamid, isBillable } as const;
        if (answer === "silent" || answer === "broken") {
          observe({ ...about, answer, code: null });
          observe({ kind: "fault", name: `cloud: ${answer}`, detail: `post ${id}` });
          resolve(answer === "silent" ? null : { kind: "broken" });
          return;
        }
        const heard = () => observe({ kind: "post heard", id });
        if (typeof answer === "string") {
          observe({ ...about, answer: 200, code: null });
          const message_status = answer === "held" ? "held_for_quality_assessment" : "accepted";
          resolve(ok({ messages: [{ id: wamid, message_status }] }, heard));
          return;
        }
        const { code } = answer;
        const status = statusOfCode(code);
        observe({ ...about, answer: status, code: code >= 600 || code < 400 ? code : null });
        observe({ kind: "fault", name: "cloud: refused", detail: `post ${id} with ${code}` });
        resolve({ kind: "status", status, body: errorBody(code), heard });
      });
    });

  const list = (): CloudAnswer => {
    const id = ++asked;
    const { refuse, refusals } = habits.now();
    // Whoever may not post at all may not read either.
    const [code] = refuse === 1 && refusals.length === 1 ? refusals : [];
    const status = code === undefined ? 200 : statusOfCode(code);
    observe({ kind: "templates read", id, status });
    if (code !== undefined) return { kind: "status", status, body: errorBody(code) };
    return ok({ data: templates.list(), paging: { cursors: {} } });
  };

  return {
    isReachable: () => !happens(forked(seed, "connection", ++asked), habits.now().refuseConnection),
    ask: async (request) => {
      const [, id = "", edge] = PATH.exec(request.path) ?? [];
      if (edge === "messages") return post(request, id);
      return edge === "message_templates" ? list() : { kind: "status", status: 404, body: errorBody(100) };
    },
    during: habits.during,
    templates,
    write: ({ phone, from, text, as, isDoubled }) => {
      const id = `wamid.in.${++written}`;
      const words = { id, from, timestamp: seconds(0), ...writtenAs(text, as) };
      const change = messagesChange(phone, { messages: [words] });
      for (let time = 0; time < (isDoubled ? 2 : 1); time++) caller.tell(change);
    },
    prefer: ({ phone, from, value, agoSeconds, isDoubled }) => {
      const said = { wa_id: from, category: "marketing_messages", value, timestamp: seconds(agoSeconds) };
      const change = { ...messagesChange(phone, { user_preferences: [said] }), field: "user_preferences" };
      for (let time = 0; time < (isDoubled ? 2 : 1); time++) caller.tell(change);
    },
    calm: () => {
      templates.calm();
      habits.calm(CALM);
    },
  };
}

type About = {
  readonly wamid: string;
  readonly opaque: string | null;
  readonly phone: string;
  readonly to: string;
  readonly category: string;
};

/** Meta has taken the leave to send text without a template. */
const BLOCKED = 139_200;

const OTHER_PRICE: Readonly<Record<string, string>> = {
  authentication: "marketing",
  utility: "marketing",
  marketing: "utility",
};

/** What a user writes, presses or chooses. */
function writtenAs(text: string, as: "button" | "list" | undefined): object {
  switch (as) {
    case "button":
      return { type: "button", button: { text, payload: text } };
    case "list":
      return {
        type: "interactive",
        interactive: { type: "list_reply", list_reply: { id: "1", title: text } },
      };
    case undefined:
      return { type: "text", text: { body: text } };
  }
}

/** Nobody has to understand it. */
function unmasked(id: number): object {
  const value = {
    message_template_name: `generated_${id}`,
    category: "UTILITY",
    correct_category: "MARKETING",
  };
  return { field: "template_correct_category_detection", value };
}

const GOOD: Pick<ToldStatus, "status" | "code"> = { status: "delivered", code: null };

/** A status as the webhook tells it. */
function statusWords(
  { wamid, opaque, phone, to, category }: About,
  { status, code }: Pick<ToldStatus, "status" | "code">,
  isBillable: boolean,
  timestamp: string,
): object {
  const told = {
    id: wamid,
    status,
    timestamp,
    recipient_id: to,
    ...(code === null
      ? { pricing: { billable: isBillable, pricing_model: "PMP", category } }
      : { errors: [{ code, title: "simulated" }] }),
    ...(opaque === null ? {} : { biz_opaque_callback_data: opaque }),
  };
  return messagesChange(phone, { statuses: [told] });
}

/** What the webhook tells of a number. */
function messagesChange(phone: string, value: object) {
  const metadata = { display_phone_number: "22600000000", phone_number_id: phone };
  return { field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } };
}

function refused(code: number): CloudFate {
  return { answer: { code }, isTaken: false, isBillable: true, statuses: [] };
}

/** 400 to 599 are bare statuses of HTTP; everything else is Meta's. */
function statusOfCode(code: number): number {
  if (code >= 400 && code < 600) return code;
  if (code === 190 || code === 0) return 401;
  if (code === 130429) return 429;
  return [1, 2, 131000, 131016, 131057].includes(code) ? 500 : 400;
}

function errorBody(code: number): string {
  return code >= 400 && code < 600
    ? "<html>unavailable</html>"
    : JSON.stringify({ error: { message: `(#${code})`, type: "OAuthException", code } });
}

function ok(value: object, heard?: () => void): CloudAnswer {
  return { kind: "status", status: 200, body: JSON.stringify(value), ...(heard ? { heard } : {}) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
