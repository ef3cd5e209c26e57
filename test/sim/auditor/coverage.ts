/**
 * What a run reached, name by name (`kind: what`), told from what was seen. `coverage-universe.ts` lists what there is to reach, and
 * `coverage-table.ts` tells what many runs did and what none did.
 */
import { cloudMessages, cloudOf, isDelivery } from "./cloud.ts";
import { newsOf, preferencesOf, textsOf } from "./cloud-users.ts";
import { connectionsTo } from "./connections.ts";
import { FAULTS } from "./coverage-universe.ts";
import { evidenceOf } from "./evidence.ts";
import { carriedStateOf, carrierOf, finalStateOf } from "./final-states.ts";
import type { History } from "./history.ts";
import { settingsIn } from "./in-force.ts";
import { type Group, joinsOf } from "./joins.ts";
import { list, member, number, text } from "./json.ts";
import { commandsNamed } from "./once.ts";
import { pausesOf } from "./pauses.ts";
import { repeatFigures } from "./repeats.ts";
import { hasRoutes, routesOf } from "./routes.ts";
import { isOfTwo } from "./rules/stated-truth.ts";
import { waysOf } from "./rules/ways.ts";
import { mayBeSecond } from "./second-sms.ts";
import { operatorOf } from "./settings.ts";
import { smppCoverage } from "./smpp-coverage.ts";
import { firstAnswer, type Submit } from "./wire-submits.ts";
import { wiresOf } from "./wires.ts";

/** Adds what a history reached, name by name. */
export type Coverage = (history: History, reach: (name: string, times?: number) => void) => void;

/** Everything that is looked for. */
export const COVERAGE: readonly Coverage[] = [
  ...[answers, batches, commands, deaths, world],
  ...[wire, cloud, fallback, events, messageMoves, routes, smppCoverage],
];

/** Codes of errors, and reasons of rejections. */
function answers({ exchanges, sightings }: History, reach: Parameters<Coverage>[1]): void {
  for (const { answer } of exchanges) {
    if (answer === null) reach("answer: none");
    else if (answer.status >= 400) reach(`error: ${text(answer.json, "code") ?? answer.status}`);
    else reach(`answer: ${answer.status}`);
    const status = text(answer?.json, "data", "status");
    if (answer?.status === 202 && status !== null) reach(`batch: ${status}`);
    if (answer?.headers["idempotency-replayed"] === "true") reach("answer: replayed");
    for (const rejection of list(answer?.json, "data", "rejections"))
      reach(`rejection: ${text(rejection, "reason_code") ?? "?"}`);
    for (const endpoint of list(answer?.json, "data", "webhooks"))
      reach(`endpoint: ${text(endpoint, "status") ?? "?"}`);
  }
  for (const { status, json } of sightings.messageViews) {
    reach(`message: ${status}`);
    const code = text(member(json, "error"), "code");
    if (code !== null) reach(`message code: ${code}`);
  }
}

function batches({ sightings }: History, reach: Parameters<Coverage>[1]): void {
  for (const { status, json } of sightings.batchViews) {
    reach(`batch: ${status}`);
    const code = text(member(json, "failure"), "code");
    if (code !== null) reach(`batch failure: ${code}`);
  }
}

function commands(history: History, reach: Parameters<Coverage>[1]): void {
  for (const { name, outcome } of history.commands) {
    reach(`command: ${name}`);
    if (outcome === null) reach("command: broken off");
    else if (!outcome.ok) reach(`command refused: ${outcome.code}`);
  }
}

/** Where in its work a process was killed, as whoever killed it tells, or in which part of its life. */
function deaths({ observations }: History, reach: Parameters<Coverage>[1]): void {
  let part = "while it starts";
  for (const seen of observations) {
    if (seen.kind !== "life") continue;
    switch (seen.what) {
      case "starting":
        part = "while it starts";
        break;
      case "ready":
        part = "while it runs";
        break;
      case "stopping":
        part = "while it stops";
        break;
      case "killed":
      case "power lost": {
        const how = seen.what === "killed" ? "process" : "power";
        const [where = ""] = (seen.detail ?? "").split(",");
        reach(`death: ${how}, ${part}`);
        if (where !== "") reach(`death: ${how}, ${where}`);
        break;
      }
      case "stopped":
      case "failed":
    }
  }
}

/** Lives, disks, clocks and faults; and of the faults that a plan may have, which met in one run. */
function world({ observations }: History, reach: Parameters<Coverage>[1]): void {
  const met = new Set<string>();
  for (const seen of observations) {
    switch (seen.kind) {
      case "life":
        reach(`life: ${seen.what}`);
        break;
      case "disk":
        reach(`disk: ${seen.state}`);
        break;
      case "clock":
        reach(`clock: set ${seen.byMs < 0 ? "back" : "forward"}`);
        break;
      case "fault":
        reach(`fault: ${seen.name}`);
        if (FAULTS.includes(seen.name)) met.add(seen.name);
        break;
      default:
    }
  }
  const names = [...met].sort();
  for (const [index, one] of names.entries())
    for (const other of names.slice(index + 1)) reach(`faults: ${one} + ${other}`);
}

function wire(history: History, reach: Parameters<Coverage>[1]): void {
  const { submits, delivers, pdus } = wiresOf(history);
  for (const { pdu, from } of pdus)
    if (from === "appliance" && pdu.kind === "other") reach("wire: unreadable");
  for (const { text: sent, answers: said } of submits) {
    reach(`wire: data_coding ${sent.dataCoding}`);
    if ((sent.esmClass & 0x40) !== 0) reach("wire: user data header");
    if (sent.tlvs.has(0x020c)) reach("wire: SAR parameters");
    if (sent.tlvs.has(0x0424)) reach("wire: message_payload");
    if (said.length === 0) reach("centre: no answer");
    if (said.length > 1) reach("centre: several answers");
    for (const { status, heardAtMs } of said) {
      reach(`centre: answered 0x${status.toString(16).toUpperCase().padStart(2, "0")}`);
      if (heardAtMs === null) reach("centre: answer lost on its way");
    }
  }
  for (const { receipt, answer, pdu, command } of delivers) {
    if (receipt === null) reach("deliver: a subscriber's text");
    else reach(`deliver: receipt ${receipt.state}${receipt.isMarked ? "" : ", not marked"}`);
    if (command === "data_sm") reach("deliver: receipt in a data_sm");
    if (answer === null) reach("deliver: never answered");
    if (pdu.pdu.kind !== "deliver_sm") continue;
    const { tlvs } = pdu.pdu.text;
    if (tlvs.has(0x001e)) reach("deliver: receipted_message_id");
    if (tlvs.has(0x0424)) reach("deliver: receipt in message_payload");
  }
  reach("figure: parts that may have reached a handset again", repeatFigures(history).repeats);
}

/** Answers to posts, statuses, and how calls fared; and how messages of WhatsApp ended. */
function cloud(history: History, reach: Parameters<Coverage>[1]): void {
  for (const { answer, code, told } of cloudOf(history).posts) {
    reach(`post: ${code === null ? (answer ?? "not answered") : `code ${code}`}`);
    for (const { status } of told) reach(`status: ${status}`);
  }
  for (const seen of history.observations) {
    if (seen.kind === "call" && seen.isForged) reach("call: forged");
    if (seen.kind === "call answer") reach(`call: answered ${seen.status ?? "never"}`);
  }
  for (const { text: words } of textsOf(history)) reach(`user: ${words === "STOP" ? "STOP" : "a text"}`);
  for (const { isStop } of preferencesOf(history)) reach(`user: ${isStop ? "stop" : "resume"}`);
  for (const { kind, word } of newsOf(history)) reach(`news: ${kind} ${word}`);
  for (const { message } of cloudMessages(history)) {
    const state = finalStateOf(history, message);
    if (state === null) continue;
    reach(`by whatsapp: ended ${state.status}${state.errorCode === null ? "" : ` ${state.errorCode}`}`);
  }
}

/** How messages that may go on as an SMS did. */
function fallback(history: History, reach: Parameters<Coverage>[1]): void {
  for (const { message, state, posts, submits } of waysOf(history)) {
    const entries = list(state.view.json, "channels").length;
    const isBySms = carrierOf(state, message) === "SMS";
    reach(
      `fallback: ended ${state.status} by ${isBySms ? "SMS" : entries > 1 ? "WhatsApp again" : "WhatsApp"}`,
    );
    const why = text(list(state.view.json, "channels")[0], "error", "code");
    if (entries > 1) reach(`fallback: after ${why ?? "silence"}`);
    if (submits.length > 0 && posts.some(({ told }) => told.some(isDelivery)))
      reach("fallback: arrived by both");
  }
}

function events(history: History, reach: Parameters<Coverage>[1]): void {
  for (const { json, answer } of history.events) {
    reach(`event: ${text(json, "type") ?? "?"}`);
    if (answer !== null) reach(`event answer: ${answer}`);
  }
}

// Which ways of the table of states a run's messages went, as the wires and the final state tell.

/** Ways of messages, by the rows of docs/behaviour.md#states-of-a-message. */
function messageMoves(history: History, reach: (name: string, times?: number) => void): void {
  for (const group of joinsOf(history).groups) {
    const [only] = group.messages;
    if (!only || group.messages.length > 1) continue;
    const submits = group.carried.map(({ submit }) => submit);
    for (const [index, submit] of submits.entries()) reachSubmit(submit, submits.slice(index + 1), reach);
    const state = carriedStateOf(history, only.message);
    if (state === null) continue;
    const code = state.errorCode === null ? "" : ` ${state.errorCode}`;
    const parts = evidenceOf(history, group);
    const accepted = parts.filter(({ mayBeAccepted }) => mayBeAccepted).length;
    if (submits.length === 0) reach(`move: QUEUED → ${state.status}${code}`);
    else if (accepted === group.segments) reach(`move: accepted whole, ended ${state.status}${code}`);
    else if (accepted > 0) reach(`move: accepted in part, ended ${state.status}${code}`);
    else reach(`move: not accepted, ended ${state.status}${code}`);
    const byReceipt = submits.every((submit) => firstAnswer(submit, "accepted")?.heardAtMs == null);
    if (byReceipt && accepted === group.segments)
      reach(`move: settled by a receipt alone, ended ${state.status}`);
  }
}

function reachSubmit(submit: Submit, later: readonly Submit[], reach: (name: string) => void): void {
  const refused = firstAnswer(submit, "refused");
  const heard = firstAnswer(submit, "accepted");
  const again = later.length > 0;
  if (submit.takenAtMs === null) reach(again ? "move: lost on its way, sent again" : "move: lost on its way");
  else if (refused && again) reach("move: refused, sent again");
  else if (submit.answers.length === 0)
    reach(again ? "move: unanswered, sent again" : "move: unanswered, waits");
  const next = later[0];
  if (next && heard?.heardAtMs != null && heard.heardAtMs > next.writtenAtMs)
    reach("move: late answer after it was sent again");
  if (next && next.life !== submit.life) reach("move: sent again by the next life");
}

// How routes to one operator stood in for one another.

/** A submit by the one route that it can have left by. */
type ByRoute = {
  readonly submit: Submit;
  readonly operator: string;
  readonly route: string;
  readonly order: number;
};

function routes(history: History, reach: Parameters<Coverage>[1]): void {
  if (!hasRoutes(history)) return;
  const carried = joinsOf(history).groups.flatMap((group) => {
    const all = byRoutes(history, group);
    if (group.messages.length === 1) reachRoutes(history, group, all, reach);
    return all;
  });
  const firsts = carried.toSorted((one, other) => one.submit.writtenAtMs - other.submit.writtenAtMs);
  for (const [place, { order }] of firsts.entries()) {
    const before = firsts[place - 1]?.order ?? order;
    if (before !== order) reach(before < order ? "route: took over" : "route: went back to the better");
  }
  reachRules(history, firsts, reach);
}

/** What was done with one of the routes alone. */
function reachRules(history: History, carried: readonly ByRoute[], reach: Parameters<Coverage>[1]): void {
  const paused = pausesOf(history).filter((pausing) => pausing.route !== null && pausing.sure !== null);
  for (const { operator, route, sure } of paused) {
    const isMeanwhile = ({ submit, ...by }: ByRoute) =>
      by.operator === operator &&
      by.route !== route &&
      submit.writtenAtMs > (sure?.fromMs ?? 0) &&
      submit.writtenAtMs < (sure?.toMs ?? 0);
    if (carried.some(isMeanwhile)) reach("route: paused, and others carry");
  }
  const registered = commandsNamed(history, "sender register").filter(({ args }) =>
    args.operator?.includes("/"),
  );
  if (registered.some(({ wasDone }) => wasDone === "yes")) reach("route: a sender of one alone");
  const shares = carried.filter(({ submit }) =>
    connectionsTo(history, submit.centre).some(({ sharedPace }) => sharedPace !== ""),
  );
  if (new Set(shares.map(({ submit }) => submit.link)).size > 1) reach("route: several at one pace");
  for (const { outcome } of commandsNamed(history, "operator status")) {
    if (!outcome?.ok) continue;
    for (const route of list(outcome.data, "routes")) {
      const why = text(route, "ill", "why");
      if (why !== null) reach(`route: ill by its ${why.replace("_", "-")}`);
    }
  }
}

function byRoutes(history: History, { carried }: Group): readonly ByRoute[] {
  return carried.flatMap(({ submit }) => {
    const period = { fromMs: submit.writtenAtMs, toMs: submit.writtenAtMs };
    const [only, ...others] = routesOf(history, submit, period);
    const [settings, ...otherSettings] = settingsIn(history, period);
    if (!only || !settings || others.length + otherSettings.length > 0) return [];
    const code = operatorOf(settings, submit.text.destination)?.code ?? "";
    const order = number(settings.document, "operators", code, "routes", only.route, "order");
    return order === null ? [] : [{ submit, operator: code, route: only.route, order }];
  });
}

function reachRoutes(
  history: History,
  group: Group,
  all: readonly ByRoute[],
  reach: Parameters<Coverage>[1],
): void {
  const [only] = group.messages;
  const state = only ? carriedStateOf(history, only.message) : null;
  const end = `${state?.status ?? "?"}${state?.errorCode == null ? "" : ` ${state.errorCode}`}`;
  const names = new Set(all.map(({ route }) => route));
  const refusing = new Set(
    all.filter(({ submit }) => firstAnswer(submit, "refused")).map(({ route }) => route),
  );
  if (names.size > 1 && refusing.size === names.size) reach(`route: each refused, ended ${end}`);
  const accepting = all.filter(({ submit }) => firstAnswer(submit, "accepted"));
  const isTwice = accepting.some((one) =>
    accepting.some((other) => one.route !== other.route && isSamePart(group, one.submit, other.submit)),
  );
  if (isTwice) reach("route: accepted by two");
  if (group.carried.some(({ submit, parts }) => isAgain(history, group, submit, parts)))
    reach("route: once more, since nothing was heard");
  if (isTwice && isOfTwo(history, evidenceOf(history, group))) reach("route: delivered by two, a part each");
  if (accepting.length > 0 && refusing.size > 0 && names.size === 1)
    reach("route: refused a part, and kept the rest");
  for (const [place, { submit, route }] of all.entries()) {
    const next = all.slice(place + 1).find((later) => later.route !== route);
    if (!next) continue;
    const status = firstAnswer(submit, "refused")?.status;
    if (status === undefined)
      reach(
        submit.answers.length === 0 ? "route: not answered, by another" : "route: answered late, by another",
      );
    else reach(LATER.includes(status) ? "route: put off, by another" : "route: refused, by another");
    if (all.slice(place + 1).some((later) => later.route === route))
      reach("route: by another, and by the first again");
  }
}

/** Whether it can only have left as a second SMS: what it carries had been accepted. */
function isAgain(history: History, group: Group, submit: Submit, parts: readonly number[]): boolean {
  return parts.some((part) => mayBeSecond(history, group, part, submit));
}

/** What means "later" whatever an operator's table says. */
const LATER: readonly number[] = [0x14, 0x58, 0x64, 0x08];

function isSamePart({ carried }: Group, one: Submit, other: Submit): boolean {
  const partsOf = (submit: Submit) => carried.find((each) => each.submit === submit)?.parts ?? [];
  return partsOf(one).some((part) => partsOf(other).includes(part));
}
