import { escapeControls } from "../../base/escape-controls.ts";
import type { SimEvent } from "./server.ts";

/** An event as a person watching reads it; null for what would only be noise. */
export function simEventLine(
  event: SimEvent,
  say: (english: string) => string = (english) => english,
): string | null {
  const words = wordsOf(event);
  return words === null
    ? null
    : `${new Date(event.atMs).toISOString().slice(11, 23)}  ${escapeControls(say(words))}`;
}

function wordsOf(event: SimEvent): string | null {
  switch (event.kind) {
    case "listening":
      return `listening on 127.0.0.1:${event.port}`;
    case "post": {
      const to = event.to === "" ? "?" : `+${event.to}`;
      if (event.code !== null) return `→ ${to}  refused, code ${event.code}`;
      const { text } = event;
      return event.isAnswered ? `→ ${to}  accepted  “${text}”` : `→ ${to}  accepted, not answered  “${text}”`;
    }
    case "verified":
      return "the webhook is verified";
    case "unverified":
      return `the webhook is not verified: ${event.why}`;
    case "told":
      return `statuses told: ${event.statuses}`;
    case "untaken":
      return `the webhook took nothing: ${event.why}`;
    case "stopped": {
      const { counts: of } = event;
      return `stopped: ${of.posts} posts, ${of.accepted} accepted, ${of.refused} refused, ${of.unanswered} unanswered; ${of.statusesTold} statuses told, ${of.statusesWaiting} waiting`;
    }
  }
}
