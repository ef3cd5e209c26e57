/** What the appliance knows of templates, from Meta's list and its webhook, and that nothing is sent with one that it knows as stopped. */
import { claimedMs, cloudMessages, cloudOf, type Post } from "../cloud.ts";
import { newsOf, type TemplateNews } from "../cloud-users.ts";
import type { ExpectedMessage } from "../expected.ts";
import { finalStateOf } from "../final-states.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { list, text } from "../json.ts";
import { commandsNamed, once } from "../once.ts";
import { CATEGORY_OF, readingsOf, type TemplateAt, templateOfBody, templatesOf } from "../templates.ts";

const stopped = finder(
  "templates-stopped",
  "A template that Meta's webhook or its list called stopped, or moved to another category, is not sent until Meta says that it may be.",
);
const listed = finder(
  "templates-listed",
  "Lists show each template as Meta has it, what Meta thinks of it, and a move that it has announced.",
);
const deserved = finder(
  "templates-unavailable",
  "A message fails for its template only where Meta had stopped or moved it, or the leave to send without one was gone.",
);

/** From a list until it is surely written down. */
const SLOWLY_MS = 10_000;
/** A command is asked, and looks. */
const LOOKED_MS = 500;

export const templatesKnown: Rule = (history) =>
  templatesOf(history).size === 0
    ? []
    : [
        ...sentAnyway(history),
        ...wronglyListed(history),
        ...qualitiesMissed(history),
        ...undeserved(history),
      ];

/** Times by the clock tell which news is old: where that was set nobody can say. */
function isTimeSet({ observations }: History): boolean {
  return observations.some(({ kind }) => kind === "clock");
}

/** The messages of posts, by their ids. */
export const messagesById = once(
  (history) =>
    new Map(
      cloudMessages(history).flatMap(({ message }) => {
        const state = finalStateOf(history, message);
        return state === null ? [] : [[state.messageId, message] as const];
      }),
    ),
);

function sentAnyway(history: History): readonly Finding[] {
  if (isTimeSet(history)) return [];
  return cloudOf(history).posts.flatMap((post): readonly Finding[] => {
    const message = messagesById(history).get(post.messageId ?? "");
    if (post.template === null || message === undefined) return [];
    const why = whyStopped(history, post, post.template, message);
    if (why === null) return [];
    const what = `${post.template} ${why}, and post ${post.id} of ${message.messageClass} was made at ${at(post.atMs)}`;
    return [stopped(post.atMs, what, post.messageId ?? "")];
  });
}

function whyStopped(
  history: History,
  { atMs }: Post,
  name: string,
  { messageClass }: ExpectedMessage,
): string | null {
  const states = templatesOf(history).get(name) ?? [];
  const right = CATEGORY_OF[messageClass];
  const news = newsOf(history).filter((each) => each.name === name);
  const byStatus = knownSince(history, atMs, {
    since: badSince(states, atMs, ({ status }) => status !== "APPROVED"),
    bad: news.filter(({ kind, word }) => kind === "status" && STOPPING.includes(word)),
    good: [],
  });
  if (byStatus !== null) return `was known at ${at(byStatus)} to be stopped`;
  const moves = news.filter(({ kind }) => kind === "moved");
  const byCategory = knownSince(history, atMs, {
    since: badSince(states, atMs, ({ category }) => category !== right),
    bad: moves.filter(({ word }) => word !== right),
    good: moves.filter(({ word }) => word === right),
  });
  return byCategory === null
    ? null
    : `was known at ${at(byCategory)} to be of another category than ${right}`;
}

const STOPPING: readonly string[] = ["PAUSED", "DISABLED"];

/** Since when Meta has had it so at a moment; null where it has not. */
function badSince(
  states: readonly TemplateAt[],
  atMs: number,
  isBad: (state: TemplateAt) => boolean,
): number | null {
  const before = states.filter((each) => each.atMs <= atMs);
  const lastGood = before.findLastIndex((each) => !isBad(each));
  return before[lastGood + 1]?.atMs ?? null;
}

/** Since when that was known, long enough before a moment, and nothing that came later spoke against it; null: it was not. */
function knownSince(
  history: History,
  atMs: number,
  {
    since,
    bad,
    good,
  }: {
    readonly since: number | null;
    readonly bad: readonly TemplateNews[];
    readonly good: readonly TemplateNews[];
  },
): number | null {
  if (since === null) return null;
  const told = bad.flatMap(({ atMs: toldMs, takenAtMs }) =>
    takenAtMs !== null && toldMs >= since ? [takenAtMs] : [],
  );
  const read = readingsOf(history).filter((each) => each >= since && !hasDiedSoon(history, each));
  const slackMs = claimedMs(history);
  const known = [...told, ...read].filter((each) => each + slackMs < atMs);
  const last = Math.max(...known);
  if (known.length === 0) return null;
  const isContradicted = good.some(
    ({ takenAtMs }) => takenAtMs !== null && takenAtMs >= last - slackMs && takenAtMs <= atMs,
  );
  return isContradicted ? null : Math.min(...known);
}

/** A death in the next moment may have lost what was read. */
function hasDiedSoon({ lives }: History, atMs: number): boolean {
  return lives.some(({ end, endedAtMs }) => end !== "stopped" && Math.abs((endedAtMs ?? 0) - atMs) < 5_000);
}

/** What clients and administrators were shown at rest, once Meta's list was read again after the last change. */
function wronglyListed(history: History): readonly Finding[] {
  const { restAtMs } = history;
  if (restAtMs === null || isTimeSet(history)) return [];
  const shown = [
    ...commandsNamed(history, "whatsapp template").flatMap(({ outcome, askedAtMs, endedAtMs }) =>
      outcome?.ok && askedAtMs >= restAtMs
        ? [
            {
              by: "whatsapp template list",
              atMs: endedAtMs ?? askedAtMs,
              rows: list(outcome.data, "templates"),
            },
          ]
        : [],
    ),
    ...history.exchanges.flatMap(({ path, client, answer, askedAtMs }) =>
      path === "/public/v1/templates" && answer?.status === 200 && askedAtMs >= restAtMs
        ? [
            {
              by: `GET /templates of ${client}`,
              atMs: answer.atMs,
              rows: list(answer.json, "data", "templates"),
            },
          ]
        : [],
    ),
  ];
  return shown.flatMap(({ by, atMs, rows }) =>
    rows.flatMap((row) => {
      const name = text(row, "name") ?? "";
      const why = whyOther(history, name, row, atMs);
      return why === null ? [] : [listed(atMs, `${by} at ${at(atMs)} has ${name} ${why}`)];
    }),
  );
}

function whyOther(history: History, name: string, row: unknown, shownAtMs: number): string | null {
  const now = templatesOf(history).get(name)?.at(-1);
  if (now === undefined) return "which Meta has not";
  const read = readingsOf(history).findLast((each) => each + SLOWLY_MS < shownAtMs);
  if (read === undefined || read <= now.atMs) return null;
  const later = newsOf(history).filter((each) => each.name === name && each.atMs >= read - LATE_MS);
  const fields = ["status", "category", "quality"] as const;
  const wrong = fields.find(
    (field) =>
      text(row, field) !== now[field] &&
      later.length === 0 &&
      !(field === "status" && isMarked(history, name)),
  );
  if (wrong !== undefined) return `with ${wrong} ${text(row, wrong)}, which is ${now[wrong]}`;
  return whyOtherMove(history, name, row, now);
}

/** What Meta thinks counts at once, where it is told. */
function qualitiesMissed(history: History): readonly Finding[] {
  if (isTimeSet(history)) return [];
  const news = newsOf(history).filter(({ kind }) => kind === "quality");
  return commandsNamed(history, "whatsapp template").flatMap(({ outcome, askedAtMs, endedAtMs }) =>
    list(outcome?.ok ? outcome.data : null, "templates").flatMap((row): readonly Finding[] => {
      const name = text(row, "name") ?? "";
      const shownAtMs = endedAtMs ?? askedAtMs;
      const states = (templatesOf(history).get(name) ?? []).filter(({ atMs }) => atMs <= shownAtMs);
      const now = states.at(-1);
      const sinceMs = states[states.findLastIndex(({ quality }) => quality !== now?.quality) + 1]?.atMs ?? 0;
      // Older ones may be told later.
      const told = news.filter((each) => each.name === name && each.atMs <= shownAtMs);
      const isKnown =
        told.length === 1 &&
        told.every(
          ({ word, atMs, takenAtMs }) =>
            word === now?.quality && atMs >= sinceMs && (takenAtMs ?? Infinity) + LOOKED_MS < askedAtMs,
        );
      const quality = text(row, "quality");
      if (now === undefined || !isKnown || quality === now.quality) return [];
      const what = `whatsapp template list at ${at(shownAtMs)} has ${name} with quality ${quality}, and Meta had told of ${now.quality}`;
      return [listed(shownAtMs, what)];
    }),
  );
}

/** What was told so shortly before a reading may count after it. */
const LATE_MS = 150_000;
/** Meta's codes that mark a template. */
const MARKS: readonly number[] = [132015, 132016];

function isMarked(history: History, name: string): boolean {
  return cloudOf(history).posts.some(
    ({ template, code, told }) =>
      template === name && [code, ...told.map((each) => each.code)].some((each) => MARKS.includes(each ?? 0)),
  );
}

/** The last move that was announced, where it is not made and nothing else was said of the category since. */
function whyOtherMove(history: History, name: string, row: unknown, { category }: TemplateAt): string | null {
  const all = newsOf(history).filter((each) => each.name === name && each.kind !== "status");
  const announced = all.filter(({ kind }) => kind === "announced");
  const [to, movesAt] = [text(row, "moves_to"), text(row, "moves_at")];
  if (announced.length === 0) return to === null ? null : `with a move to ${to} that nobody announced`;
  const last = announced.at(-1);
  // What is done to its category is the end of what was announced before.
  const isDone = all.some(({ kind, atMs }) => kind === "moved" && atMs >= (last?.atMs ?? 0));
  const isLeft = announced.length === 1 && last !== undefined && last.takenAtMs !== null && !isDone;
  const wasMoved = (templatesOf(history).get(name) ?? []).some((each) => each.category !== category);
  if (!isLeft || wasMoved || last.word === category) return null;
  const toldMs = movesAt === null ? null : Date.parse(movesAt);
  if (to === last.word && toldMs === last.movesAtMs) return null;
  return `with a move to ${to} at ${movesAt}, and Meta announced ${last.word} for ${last.movesAtMs}`;
}

/** Failures for a template that could always be sent. */
function undeserved(history: History): readonly Finding[] {
  return cloudMessages(history).flatMap(({ batch, message }): readonly Finding[] => {
    const state = finalStateOf(history, message);
    if (state?.errorCode !== "TEMPLATE_UNAVAILABLE" || state.operatorCode !== null) return [];
    const { isFree, body } = batch.body.request;
    const name = templateOfBody(history, body) ?? "";
    const wasBad = (templatesOf(history).get(name) ?? []).some(
      ({ status, category }) => status !== "APPROVED" || category !== CATEGORY_OF[message.messageClass],
    );
    const mayBeForbidden =
      isFree && history.settings.some(({ numbers }) => numbers.some(({ mayBeDirect }) => !mayBeDirect));
    if (wasBad || isMarked(history, name) || mayBeForbidden) return [];
    const what = `message ${state.messageId} to ${message.msisdn} failed with TEMPLATE_UNAVAILABLE, and ${isFree ? "it needed no template" : `${name} could always be sent`}`;
    return [deserved(state.view.atMs, what, state.messageId)];
  });
}
