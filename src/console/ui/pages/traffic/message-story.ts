/** The life of a message, as its page shows it. Pure. */
import type { TrafficWords } from "../../../../i18n/words.gen.d.ts";

type LifeEvent = {
  readonly at: string;
  readonly event: string;
  readonly part: string | null;
  readonly connection: number | null;
  /** For staff alone; absent where the operator had no routes. */
  readonly route?: string;
  readonly detail: string | null;
  /** The segment that it is about, and its outcome where a note says it. */
  readonly segment: string | null;
  readonly segment_state: string | null;
};

type Saying = {
  readonly words: TrafficWords["messages"];
  readonly state: (state: string) => string;
};

/** Events whose detail can be understood without knowing the protocol. */
const WITH_DETAIL = new Set([
  "accepted",
  "squared",
  "no_answer",
  "unanswered",
  "put_off",
  "rerouted",
  "read",
  "first_way",
  "more",
  "restored",
]);

/** An event without its technical details. */
export function renderEvent(event: LifeEvent, { words, state }: Saying) {
  const { segment, segment_state: its } = event;
  const said = [
    segment === null ? "" : words.part({ part: segment }),
    its === null ? "" : state(its),
    WITH_DETAIL.has(event.event) ? (event.detail ?? "") : "",
  ];
  return momentWith(event, words, said);
}

/** An event with everything that is kept of it. */
export function toMoment(event: LifeEvent, { words }: Saying) {
  const { part, connection, route, detail } = event;
  return momentWith(event, words, [
    part === null ? "" : words.part({ part }),
    connection === null ? "" : words.via({ place: connection }),
    route === undefined ? "" : words.route({ route }),
    detail ?? "",
  ]);
}

function momentWith({ at, event }: LifeEvent, words: Saying["words"], said: readonly string[]) {
  const tone: "good" | "bad" | "busy" =
    event === "DELIVERED" ? "good" : event === "FAILED" || event === "no_answer" ? "bad" : "busy";
  return { at, title: words.events[event] ?? event, tone, detail: said.filter(Boolean).join(" · ") };
}
