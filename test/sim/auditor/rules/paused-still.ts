import { type Connection, connectionsIn } from "../connections.ts";
import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { settingsIn } from "../in-force.ts";
import { type Pausing, pausesOf } from "../pauses.ts";
import type { Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const found = finder(
  "paused-still",
  "`operator pause` lets nothing leave by an operator, or by one of its routes or connections, until `operator resume`, also after a restart.",
);

/** What may lie between the appliance's socket and the centre where nobody watches the appliance's end, ms. */
const ON_THE_WAY_MS = 30_000;

/** Once a pause was answered nothing is written to the paused operator any more, until somebody asks to let it go on. */
export const pausedStill: Rule = (history) => {
  const { submits, isWatched } = wiresOf(history);
  const slackMs = isWatched ? 0 : ON_THE_WAY_MS;
  return pausesOf(history).flatMap((pausing) => {
    const { sure, operator, route, place, command } = pausing;
    if (sure === null) return [];
    const during = submits.filter(
      ({ writtenAtMs }) => writtenAtMs > sure.fromMs + slackMs && writtenAtMs < sure.toMs,
    );
    const isLeft = (submit: Submit) => isHeld(history, pausing, sure.fromMs, submit);
    // What was in force since then only grows with time: where a centre's first submit proves nothing, no later one does.
    const left = [...Map.groupBy(during, ({ centre }) => centre).values()]
      .flatMap((toCentre) => (toCentre.slice(0, 1).every(isLeft) ? toCentre.filter(isLeft) : []))
      .sort((a, b) => a.writtenAtMs - b.writtenAtMs);
    const [first] = left;
    if (!first) return [];
    const whole = route === null ? operator : `${operator}/${route}`;
    const who = place === null ? whole : `connection ${place} of ${operator}`;
    const what = `${who} was paused at ${at(sure.fromMs)} (command ${command}) until ${at(sure.toMs)}, and ${left.length} submits left meanwhile, the first at ${at(first.writtenAtMs)} on link ${first.link} to ${first.text.destination}`;
    return [found(first.writtenAtMs, what, `command ${command}`)];
  });
};

/** Whether a submit can only have left by what is paused, whichever configuration was in force since. */
function isHeld(history: History, pausing: Pausing, pausedAtMs: number, submit: Submit): boolean {
  const { operator, route, place } = pausing;
  const toCentre = (fromMs: number, toMs: number) =>
    settingsIn(history, { fromMs, toMs }).map((each) => connectionsIn([each], submit.centre));
  const since = toCentre(pausedAtMs, submit.writtenAtMs);
  const isOf = (each: Connection) => each.operator === operator && (route === null || each.route === route);
  if (!since.every((all) => all.length > 0 && all.every(isOf))) return false;
  if (place === null) return true;
  // A connection is known by what it binds to and as what, wherever it stands later.
  const isPaused = ([only, ...others]: readonly Connection[]) => others.length === 0 && only?.place === place;
  const binds = new Set(since.flat().map(({ bind }) => bind));
  return (
    binds.size === 1 &&
    since.every((all) => all.length === 1) &&
    toCentre(pausedAtMs, pausedAtMs).every(isPaused)
  );
}
