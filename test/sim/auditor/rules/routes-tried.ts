import { unwellTimes } from "../durable.ts";
import { at, finder, type Rule } from "../finding.ts";
import type { History, SettingsInForce } from "../history.ts";
import { idleOn, overlap } from "../idle-links.ts";
import { type Group, joinsOf } from "../joins.ts";
import { once } from "../once.ts";
import { pausesOf, type Stretch, without } from "../pauses.ts";
import { hasRoutes, lastCode, routesOf } from "../routes.ts";
import { type OperatorSettings, operatorOf } from "../settings.ts";
import { wallClockOf } from "../wall-clock.ts";
import { IDLE_MS, waitOf } from "./tried-again.ts";

const found = finder(
  "routes-tried",
  "What a route refused or put off leaves by another, and by the same one again where no other is left: no mark keeps a message for ever.",
);

/** How long other routes take to be in force at most, ms. */
const SLACK_MS = 5_000;

/**
 * None that was refused or put off waits its validity out while nothing leaves to its operator, beside a connection that is bound of
 * a route that carries its class and has not refused it; of any that carries its class, where each has.
 */
export const routesTried: Rule = (history) => {
  const clock = wallClockOf(history);
  if (!hasRoutes(history) || clock === null || clock.jumps) return [];
  return joinsOf(history).groups.flatMap((group) => {
    const waiting = waitOf(history, group, clock.wallAtStartMs);
    const refused = refusedBy(history, group);
    const message = group.messages[0]?.message;
    if (waiting === null || refused === null || !message) return [];
    const { state, stretch } = waiting;
    if (stretch.toMs - stretch.fromMs < IDLE_MS) return [];
    return history.settings.flatMap((settings, place) => {
      const untilMs = history.settings[place + 1]?.atMs ?? Infinity;
      const inForce = { fromMs: settings.atMs + SLACK_MS, toMs: untilMs - SLACK_MS };
      const operator = operatorOf(settings, message.msisdn);
      if (!operator || overlap(inForce, stretch) < IDLE_MS) return [];
      const centres = centresFor(settings, operator, message.messageClass, refused);
      const wanted = {
        fromMs: Math.max(inForce.fromMs, stretch.fromMs),
        toMs: Math.min(inForce.toMs, stretch.toMs),
      };
      const idle = idleStretches(history, operator, centres).find((each) => overlap(each, wanted) >= IDLE_MS);
      if (!idle) return [];
      const marks = refused.size === 0 ? "no route" : [...refused].join(", ");
      const what = `message ${state.messageId}, which ${marks} refused, ended ${state.errorCode} at ${at(stretch.toMs)}, though a connection to ${centres.join(" or ")} was bound and nothing left to ${operator.code} from ${at(idle.fromMs)} to ${at(idle.toMs)}`;
      return [found(stretch.toMs, what, state.messageId, message.batchId ?? "")];
    });
  });
};

/** The routes that refused a message with what speaks of a route; null where nobody can tell which it was. */
function refusedBy(history: History, { carried }: Group): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const { submit } of carried) {
    const speaks = history.settings.some(({ operators }) =>
      operators.some(({ routes }) =>
        routes.some(({ rerouteOn }) => submit.answers.some(({ status }) => rerouteOn.includes(status))),
      ),
    );
    if (!speaks) continue;
    const period = { fromMs: submit.writtenAtMs, toMs: submit.writtenAtMs };
    const [only, ...others] = routesOf(history, submit, period);
    if (!only || others.length > 0) return null;
    names.add(only.route);
  }
  return names;
}

/** The centres of the routes that may carry it, without those to which something else leads too. */
function centresFor(
  { operators }: SettingsInForce,
  operator: OperatorSettings,
  messageClass: string,
  refused: ReadonlySet<string>,
): readonly string[] {
  const others = operators.filter((each) => each !== operator).flatMap(({ centres }) => centres);
  const { routes } = operator;
  const carrying = routes.filter(({ classes }) => classes.includes(messageClass));
  const unmarked = carrying.filter(({ name }) => !refused.has(name));
  const able = unmarked.length > 0 ? unmarked : carrying;
  const centres = routes.length === 0 ? operator.centres : able.flatMap((route) => route.centres);
  const unable = routes.filter((route) => !able.includes(route)).flatMap((route) => route.centres);
  return [...new Set(centres)].filter((centre) => !others.includes(centre) && !unable.includes(centre));
}

const idleAt = once(() => new Map<string, readonly Stretch[]>());

/** When a link to one of some centres was bound and nothing left to any centre of the operator, nothing of it being paused. */
function idleStretches(
  history: History,
  { code, centres: all }: OperatorSettings,
  centres: readonly string[],
): readonly Stretch[] {
  const key = JSON.stringify([lastCode(history, code), all, centres]);
  const known = idleAt(history).get(key);
  if (known) return known;
  const paused = pausesOf(history)
    .filter(({ operator }) => lastCode(history, operator) === lastCode(history, code))
    .map(({ possible }) => possible);
  const links = history.links.filter(({ centre }) => all.includes(centre));
  const idle = new Map(links.map((link) => [link, idleOn(history, link)]));
  const stretches = links
    .filter(({ centre }) => centres.includes(centre))
    .flatMap((link) => {
      const busy = links.flatMap((other) => (other === link ? [] : busyOn(idle.get(other) ?? [])));
      return (idle.get(link) ?? []).flatMap((stretch) =>
        without(stretch, [...paused, ...busy, ...unwellTimes(history)]),
      );
    });
  idleAt(history).set(key, stretches);
  return stretches;
}

/** Between the times without a submit. */
function busyOn(idle: readonly Stretch[]): readonly Stretch[] {
  return idle.flatMap(({ toMs }, place) => {
    const next = idle[place + 1];
    return next === undefined
      ? []
      : [{ fromMs: Math.min(toMs, next.fromMs), toMs: Math.max(toMs, next.fromMs) }];
  });
}
