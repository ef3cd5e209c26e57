/** What clients were told of each message at last, once the world had come to rest. */
import type { ExpectedMessage } from "./expected.ts";
import type { History } from "./history.ts";
import { member, text } from "./json.ts";
import type { MessageView } from "./sightings.ts";

export type FinalState = {
  readonly messageId: string;
  readonly status: string;
  readonly isFinal: boolean;
  /** `error.code` and `error.operator_code`. */
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
  readonly view: MessageView;
};

const known = new WeakMap<History, ReadonlyMap<string, FinalState>>();

/** The last state of each message that anybody asked about at rest, by `finalKey`. */
export function finalStatesOf(history: History): ReadonlyMap<string, FinalState> {
  const found = known.get(history) ?? readStates(history);
  known.set(history, found);
  return found;
}

/** The final state of a message; null when nobody asked for it at rest. */
export function finalStateOf(history: History, message: ExpectedMessage): FinalState | null {
  return finalStatesOf(history).get(`${message.batchId} ${message.index}`) ?? null;
}

/** The same where its own channel carried it in the end; null where the other way did. */
export function carriedStateOf(history: History, message: ExpectedMessage): FinalState | null {
  const state = finalStateOf(history, message);
  return state === null || carrierOf(state, message) !== message.channel ? null : state;
}

/** By which channel a message went in the end. */
export function carrierOf(
  { view }: Pick<FinalState, "view">,
  { channel, second, isSecond }: ExpectedMessage,
): ExpectedMessage["channel"] {
  if (second === null && !isSecond) return channel;
  return (text(view.json, "operator") ?? "").startsWith("whatsapp:") ? "WHATSAPP" : "SMS";
}

function readStates({ sightings, restAtMs }: History): ReadonlyMap<string, FinalState> {
  const states = new Map<string, FinalState>();
  if (restAtMs === null) return states;
  for (const view of sightings.messageViews) {
    if (view.exchange.askedAtMs < restAtMs) continue;
    const key = `${view.batchId} ${view.index}`;
    const known = states.get(key);
    if (known && (text(known.view.json, "status_changed_at") ?? "") > stampOf(view)) continue;
    states.set(key, stateOf(view));
  }
  return states;
}

/** The stamp of a view: `status_changed_at`, whose texts compare as their times do. */
export function stampOf({ json }: Pick<MessageView, "json">): string {
  return text(json, "status_changed_at") ?? "";
}

function stateOf(view: MessageView): FinalState {
  const { messageId, status, isFinal, json } = view;
  const error = member(json, "error");
  return {
    messageId,
    status,
    isFinal,
    view,
    errorCode: text(error, "code"),
    operatorCode: text(error, "operator_code"),
  };
}
