import type { Cancel, Clock } from "../../core/clock.ts";
import type { Ask } from "../../https/post.ts";
import type { HttpsTarget } from "../../https/target.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

const VERIFY_AGAIN_MS = 2000;
const CHALLENGE = "1158201444";

export type Verification =
  | { readonly kind: "verified" }
  | { readonly kind: "unverified"; readonly why: Phrase };

type VerifyOptions = {
  readonly clock: Clock;
  readonly ask: Ask;
  readonly target: HttpsTarget;
  readonly verifyToken: string;
  readonly onEvent: (event: Verification) => void;
  readonly stop: AbortSignal;
};

/** Asks the webhook for the challenge, again and again until it says it, as Meta does once when it is registered. */
export function verifying({ clock, ask, target, verifyToken, onEvent, stop }: VerifyOptions): void {
  const query = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.verify_token": verifyToken,
    "hub.challenge": CHALLENGE,
  });
  const asked = { ...target, path: `${target.path}${target.path.includes("?") ? "&" : "?"}${query}` };
  let cancel: Cancel = () => {};
  stop.addEventListener("abort", () => cancel());
  const again = (why: Phrase): void => {
    if (stop.aborted) return;
    onEvent({ kind: "unverified", why });
    cancel = clock.after(VERIFY_AGAIN_MS, once);
  };
  const once = (): void => {
    ask(asked, { method: "GET", headers: {}, body: null, keepsAnswer: true }, stop).then(
      ({ error, answer }) => {
        if (error !== null || answer !== CHALLENGE) again(error ?? phrase("simulator.webhook.other_answer"));
        else onEvent({ kind: "verified" });
      },
      () => again(phrase("simulator.webhook.failed")),
    );
  };
  once();
}
