/**
 * The stand-in for Meta's Cloud API: any number, any WhatsApp Business account, any token. It answers posts, lists templates, and sends
 * statuses to the webhook. The outcome of a post follows from the seed (`fate.ts`).
 */
import type { Cancel, Clock } from "../../core/clock.ts";
import {
  cloudCode,
  decidePostFate,
  errorBody,
  goneBody,
  isBareStatus,
  type PostFate,
  type ScheduledStatus,
} from "./fate.ts";
import { type StatusOfPost, statusOf } from "./payloads.ts";
import { type WhatsappSimSettings, waIdOf } from "./settings.ts";
import {
  BUILT_IN_TEMPLATES,
  bodyOf,
  hasCopyCodeButton,
  parametersOf,
  type SimTemplate,
  templatesPage,
} from "./templates.ts";

/** A request as it came in. */
type CloudRequest = {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string | null;
  readonly body: string;
};

type CloudAnswer = { readonly status: number; readonly body: string };

/** A post as an event. `code`: Meta's code of the refusal; null: accepted. */
export type PostEvent = {
  readonly kind: "post";
  readonly phone: string;
  readonly to: string;
  readonly text: string;
  readonly opaque: string | null;
  readonly wamid: string | null;
  readonly code: number | null;
  readonly isAnswered: boolean;
};

export type CloudOptions = {
  readonly clock: Clock;
  readonly settings: () => WhatsappSimSettings;
  readonly tell: (status: StatusOfPost) => void;
  readonly onPost: (event: PostEvent) => void;
  /** Decides a post in place of chance; null leaves it to chance. */
  readonly fate?: (post: PostedMessage, nth: number) => PostFate | null;
};

/** What the printed configuration names. */
export const USUAL = { phone: "100000000000001", waba: "200000000000002", token: "simulated-token" };

const PATH = /^\/v\d+\.\d+\/(\d+)(?:\/(messages|message_templates))?\/?$/;

/** The event of a post that was refused before it was read. */
const REFUSED_POST = { kind: "post", to: "", text: "", opaque: null, wamid: null, isAnswered: true } as const;

/** A number that posts, and its WhatsApp Business account. */
type Sender = { readonly phone: string; readonly waba: string };

/** The stand-in's state: its templates, the posts so far, and the statuses that are still to come. */
export class Cloud {
  private allTemplates: readonly SimTemplate[] = BUILT_IN_TEMPLATES;
  /** The account whose templates a token has read. */
  private readonly accounts = new Map<string, string>();
  private lastSender: Sender = { phone: USUAL.phone, waba: USUAL.waba };
  private readonly rate: RateWatch;
  /** Posts so far, by their user. */
  private readonly posts = new Map<string, number>();
  private readonly lastWamids = new Map<string, string>();
  private readonly timers = new Set<Cancel>();

  constructor(private readonly options: CloudOptions) {
    this.rate = new RateWatch(options.settings);
  }

  /** The answer; null: there is none. */
  take({ method, url, authorization, body }: CloudRequest): CloudAnswer | null {
    const { options } = this;
    const token = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];
    if (token === undefined) return refusal(190, "there is no access token");
    const [, id, edge] = PATH.exec(url.pathname) ?? [];
    if (id === undefined) return { ...refusal(100, "there is no such path"), status: 404 };
    if (edge === "messages") {
      if (method !== "POST") return refusal(100, "messages are posted");
      this.lastSender = { phone: id, waba: this.accounts.get(token) ?? USUAL.waba };
      if (options.settings().gone.includes(id)) {
        options.onPost({ ...REFUSED_POST, phone: id, code: 100 });
        return { status: 400, body: goneBody(id) };
      }
      return this.takePost(this.lastSender, readPost(jsonOf(body), this.allTemplates));
    }
    if (edge === "message_templates") {
      this.accounts.set(token, id);
      const page = templatesPage(this.allTemplates, url.searchParams, `${url.origin}${url.pathname}`);
      return method === "GET" ? answer(page) : refusal(100, "templates are only read here");
    }
    return answer({ id, whatsapp_business_manager_messaging_limit: "TIER_UNLIMITED" });
  }

  readonly templates = (): readonly SimTemplate[] => this.allTemplates;

  readonly setTemplates = (templates: readonly SimTemplate[]): void => {
    this.allTemplates = templates;
  };

  /** The number that posted last, and its account. */
  number(): Sender {
    return this.lastSender;
  }

  /** Meta's id of the last post that a user was sent, by the user's id; null for none. */
  lastTo(waId: string): string | null {
    return this.lastWamids.get(waId) ?? null;
  }

  /** How many statuses are still to come. */
  ahead(): number {
    return this.timers.size;
  }

  /** Sends no more statuses. */
  stop(): void {
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }

  /** Decides on a post: what it is answered with, and which statuses follow. */
  private takePost(sender: Sender, post: PostedMessage | PostFault): CloudAnswer | null {
    const { clock, settings, onPost } = this.options;
    const { phone } = sender;
    const seen = { kind: "post", phone, wamid: null, isAnswered: true } as const;
    if ("code" in post) {
      onPost({ ...REFUSED_POST, phone, code: post.code });
      return refusal(post.code, post.details);
    }
    const { to, text, opaque } = post;
    const tooFast = this.rate.take(phone, to, clock.steadyMs());
    if (tooFast !== null) {
      onPost({ ...seen, to, text, opaque, code: tooFast });
      return refusal(tooFast, "too many messages in a short time");
    }
    const nth = (this.posts.get(to) ?? 0) + 1;
    this.posts.set(to, nth);
    const fate = this.options.fate?.(post, nth) ?? decidePostFate(settings(), to, nth);
    const { isTaken, isAnswered, answer: code } = fate;
    const wamid = wamidOf(settings().seed, phone, to, nth);
    onPost({ ...seen, to, text, opaque, wamid: isTaken ? wamid : null, code, isAnswered });
    const waId = waIdOf(settings().waIds, to);
    if (isTaken) {
      this.lastWamids.set(waId, wamid);
      this.scheduleStatuses(post, sender, wamid, fate);
    }
    if (!isAnswered) return null;
    return code === null
      ? accepted(post, waId, wamid, fate.messageStatus)
      : refusal(code, "as it was asked to fail");
  }

  private scheduleStatuses(post: PostedMessage, sender: Sender, wamid: string, fate: PostFate): void {
    const { clock, settings, tell } = this.options;
    const { to, opaque, category } = post;
    const startMs = clock.nowMs();
    for (const scheduled of fate.statuses) {
      const status = statusOf({
        wamid,
        status: scheduled.status,
        atMs: startMs + scheduled.afterMs,
        to: waIdOf(settings().waIds, to),
        opaque,
        category,
        isBillable: fate.isBillable,
        error: errorOf(scheduled),
      });
      for (let time = 0; time < scheduled.times; time++)
        this.later(scheduled.toldAfterMs, () => tell({ ...sender, status }));
    }
  }

  private later(delayMs: number, run: () => void): void {
    const { timers } = this;
    const cancel = this.options.clock.after(delayMs, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  }
}

function accepted(post: PostedMessage, waId: string, wamid: string, status = "accepted"): CloudAnswer {
  const message = post.template === null ? { id: wamid } : { id: wamid, message_status: status };
  return answer({
    messaging_product: "whatsapp",
    contacts: [{ input: post.to, wa_id: waId }],
    messages: [message],
  });
}

function answer(value: object): CloudAnswer {
  return { status: 200, body: JSON.stringify(value) };
}

function refusal(code: number, details: string): CloudAnswer {
  if (isBareStatus(code))
    return { status: code, body: "<html><body>Service temporarily unavailable</body></html>" };
  return { status: cloudCode(code).status, body: errorBody(code, details) };
}

function errorOf({ code }: ScheduledStatus): { readonly code: number; readonly title: string } | null {
  return code === null ? null : { code, title: cloudCode(code).title };
}

function wamidOf(seed: number, phone: string, to: string, nth: number): string {
  return `wamid.${Buffer.from(`${seed}:${phone}:${to}:${nth}`).toString("base64")}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const SECOND_MS = 1000;

/** Watches the rate of posts: those of one number, and those to one user. */
class RateWatch {
  private readonly recent = new Map<string, number[]>();
  private readonly lastTo = new Map<string, number>();

  constructor(private readonly limits: () => { readonly throughput: number; readonly pairMs: number }) {}

  /** The code of the limit that a post at a steady time breaks; null: none, and it counts. */
  take(phone: string, to: string, steadyMs: number): number | null {
    const { recent, lastTo } = this;
    const { throughput, pairMs } = this.limits();
    const times = recent.get(phone) ?? [];
    while ((times[0] ?? steadyMs) <= steadyMs - SECOND_MS) times.shift();
    if (throughput > 0 && times.length >= throughput) return 130429;
    const pair = `${phone} ${to}`;
    const last = lastTo.get(pair);
    if (last !== undefined && steadyMs < last + pairMs) return 131056;
    times.push(steadyMs);
    recent.set(phone, times);
    lastTo.set(pair, steadyMs);
    return null;
  }
}

/** A post as the stand-in understands it. */
type PostedMessage = {
  readonly to: string;
  readonly opaque: string | null;
  /** Null: text without a template. */
  readonly template: SimTemplate | null;
  /** Its billing category: authentication, utility, marketing, or service for text in the window. */
  readonly category: string;
  /** The text as the user reads it. */
  readonly text: string;
};

type PostFault = { readonly code: number; readonly details: string };

const MAX_CHARACTERS = 1024;
const MAX_CODE_CHARACTERS = 15;
const MAX_TEXT_CHARACTERS = 4096;

type Fields = Readonly<Record<string, unknown>>;

/** Reads a post, checking it as Meta does; a fault has Meta's code. */
function readPost(body: unknown, templates: readonly SimTemplate[]): PostedMessage | PostFault {
  const post = fieldsOf(body);
  if (post.messaging_product !== "whatsapp") return fault(100, "messaging_product must be whatsapp");
  const { to, biz_opaque_callback_data: opaque, type } = post;
  if (typeof to !== "string" || !/^\+?\d{6,15}$/.test(to)) return fault(131009, "to is no telephone number");
  if (opaque !== undefined && (typeof opaque !== "string" || opaque.length > 512)) {
    return fault(100, "biz_opaque_callback_data is text of at most 512 characters");
  }
  const addressed = { to: to.replace("+", ""), opaque: opaque ?? null };
  const content = type === "template" ? readTemplate(fieldsOf(post.template), templates) : readText(post);
  return "code" in content ? content : { ...addressed, ...content };
}

type PostText = Pick<PostedMessage, "template" | "category" | "text">;

function readTemplate(posted: Fields, templates: readonly SimTemplate[]): PostText | PostFault {
  const { name } = posted;
  const language = fieldsOf(posted.language).code;
  if (typeof name !== "string" || typeof language !== "string")
    return fault(131008, "template has no name or language");
  const template = templates.find((each) => each.name === name && each.language === language);
  if (template === undefined) return fault(132001, `template name (${name}) does not exist in ${language}`);
  if (template.status === "PAUSED") return fault(132015, "the template is paused");
  if (template.status === "DISABLED") return fault(132016, "the template is disabled");
  if (template.status !== "APPROVED") return fault(132001, `the template is ${template.status}`);
  const components = Array.isArray(posted.components) ? posted.components.map(fieldsOf) : [];
  const given = parametersIn(components.find(({ type }) => type === "body"));
  const wanted = parametersOf(template);
  if (given.length !== wanted.length) {
    return fault(
      132000,
      `number of localizable_params (${given.length}) does not match the expected number (${wanted.length})`,
    );
  }
  const values = new Map<string, string>();
  for (const [at, parameter] of given.entries()) {
    const wrong = parameterFault(parameter, template);
    if (wrong !== null) return wrong;
    const name = template.parameter_format === "NAMED" ? String(parameter.parameter_name) : String(at + 1);
    values.set(name, String(parameter.text));
  }
  if (wanted.some((each) => !values.has(each)))
    return fault(132012, "the names of the parameters do not match");
  if (hasCopyCodeButton(template)) {
    const button = components.find(({ type }) => type === "button");
    const [code] = parametersIn(button);
    if (button?.sub_type !== "url" || String(button.index) !== "0" || code?.text !== values.get("1")) {
      return fault(131008, "the code is missing at the button at index 0");
    }
  }
  const text = bodyOf(template).replace(
    /\{\{([^{}]+)\}\}/g,
    (_, each: string) => values.get(each.trim()) ?? "",
  );
  if ([...text].length > MAX_CHARACTERS) return fault(132005, "the text filled in is too long");
  return { template, category: template.category.toLowerCase(), text };
}

function parameterFault(parameter: Fields, template: SimTemplate): PostFault | null {
  const { type, text } = parameter;
  if (type !== "text") return fault(132012, "a parameter of the body is text");
  if (typeof text !== "string" || text === "") return fault(131008, "a parameter is empty");
  if (/[\n\r\t]| {5}/.test(text))
    return fault(132018, "a parameter has a line end, a tab or more than 4 spaces in a row");
  if (template.category === "AUTHENTICATION" && [...text].length > MAX_CODE_CHARACTERS) {
    return fault(132018, "a code has at most 15 characters");
  }
  return null;
}

/** Reads free text: sent directly when it names a category, else an answer to a user who wrote. */
function readText(post: Fields): PostText | PostFault {
  if (post.type !== undefined && post.type !== "text") return fault(100, "type is template or text");
  const text = fieldsOf(post.text).body;
  if (typeof text !== "string" || text === "") return fault(131008, "text has no body");
  if ([...text].length > MAX_TEXT_CHARACTERS) return fault(131009, "the body is too long");
  const { category = "service", ttl_seconds: ttl } = post;
  const longest = category === "utility" ? 43_200 : category === "authentication" ? 900 : 0;
  if (typeof category !== "string" || (longest === 0 && category !== "service"))
    return fault(100, "no such category");
  if (ttl !== undefined && (typeof ttl !== "number" || ttl < 30 || ttl > longest))
    return fault(100, "ttl_seconds is out of bounds");
  return { template: null, category, text };
}

function parametersIn(component: Fields | undefined): readonly Fields[] {
  const parameters = component?.parameters;
  return Array.isArray(parameters) ? parameters.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function fault(code: number, details: string): PostFault {
  return { code, details };
}
