import type { Contract } from "../../api/contract.ts";
import { ToneIcon, type Tone } from "../../kit/sign.tsx";
import { access } from "../../words/access.ts";
import { figures } from "../../words/words.ts";

export type EndpointShown = Contract["GET /webhooks/:webhook"]["answer"];

/** An endpoint that failed so often in a row is only probed. */
const FAILING_AFTER = 3;

type StateProps = { readonly endpoint: Pick<EndpointShown, "status" | "consecutive_failures"> };

/** How an endpoint is: word and sign. */
export function EndpointState({ endpoint: { status, consecutive_failures: failures } }: StateProps) {
  const state = status === "ENABLED" && failures >= FAILING_AFTER ? "FAILING" : status;
  const tone: Tone = state === "ENABLED" ? "good" : state === "DISABLED_BY_USER" ? "idle" : "bad";
  return (
    <span class={`badge ${tone}`}>
      <ToneIcon tone={tone} />
      {access.value.webhooks.states[state] ?? state}
    </span>
  );
}

/** How many events wait for an endpoint, tried or not. */
export function backlogText({ waiting, retrying, is_more }: EndpointShown["backlog"]): string {
  const words = access.value.webhooks;
  const count = figures.count(waiting + retrying, words.waiting);
  return is_more ? words.waitingMore({ count }) : count;
}
