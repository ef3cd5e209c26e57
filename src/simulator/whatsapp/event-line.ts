import { escapeControls } from "../../core/escape-controls.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import type { SimEvent } from "./server.ts";

/** An event as a person watching reads it. */
export function renderSimEvent(event: SimEvent, say: (line: Phrase) => string = english): string {
  return `${new Date(event.atMs).toISOString().slice(11, 23)}  ${escapeControls(say(lineOf(event)))}`;
}

function lineOf(event: SimEvent): Phrase {
  switch (event.kind) {
    case "listening":
      return phrase("simulator.listening", { address: `127.0.0.1:${event.port}` });
    case "post": {
      const to = event.to === "" ? "?" : `+${event.to}`;
      const { code, text } = event;
      if (code !== null) return phrase("simulator.post.refused", { to, code });
      return event.isAnswered
        ? phrase("simulator.post.accepted", { to, text })
        : phrase("simulator.post.unanswered", { to, text });
    }
    case "verified":
      return phrase("simulator.webhook.verified");
    case "unverified":
      return phrase("simulator.webhook.unverified", { why: event.why });
    case "told":
      return phrase("simulator.webhook.told", { statuses: event.statuses });
    case "untaken":
      return phrase("simulator.webhook.untaken", { why: event.why });
    case "stopped": {
      const { posts, accepted, refused, unanswered, statusesTold, statusesWaiting } = event.counts;
      return phrase("simulator.stopped.posts", {
        posts,
        accepted,
        refused,
        unanswered,
        told: statusesTold,
        waiting: statusesWaiting,
      });
    }
  }
}
