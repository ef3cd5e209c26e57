import type { Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { HOME } from "../../state/router.ts";
import { sending } from "../../words/send.ts";
import { putAside } from "./bring.ts";
import { startOver } from "./form.ts";
import { Refusal } from "./refusal.tsx";

/** Whether nobody knows what came of it. */
export function isUnanswered({ code, status }: Problem): boolean {
  return code === "UNREACHABLE" || code === "REQUEST_IN_PROGRESS" || status >= 500;
}

/** What came of a press that did not send, and what to do. */
export function SendProblem({ problem }: { readonly problem: Problem }) {
  const { check: words, startOver: again } = sending.value;
  if (problem.code !== "IDEMPOTENCY_KEY_REUSED") return <Refusal problem={problem} />;
  return (
    <div class="error" role="alert">
      <p class="error-title">{words.usedUp}</p>
      <p>{words.usedUpHelp}</p>
      <p>
        <a href={`${HOME}/batches`}>{words.toBatches}</a>
      </p>
      <Button
        onPress={() => {
          void putAside();
          startOver();
        }}
      >
        {again}
      </Button>
    </div>
  );
}
