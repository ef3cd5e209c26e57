import type { Problem } from "../api/client.ts";
import { figures, words } from "../words/words.ts";
import { Button } from "./button.tsx";

function kindOf({ status, code }: Problem): keyof typeof words.value.errors {
  if (code === "UNREACHABLE") return "UNREACHABLE";
  if (status === 403) return "FORBIDDEN";
  if (status === 404) return "NOT_FOUND";
  return status === 429 ? "TOO_MANY" : "OTHER";
}

type ErrorBoxProps = { readonly problem: Problem; readonly onRetry?: () => void };

/** What went wrong and what helps. */
export function ErrorBox({ problem, onRetry }: ErrorBoxProps) {
  const kind = kindOf(problem);
  const { title, help } = words.value.errors[kind];
  return (
    <div class="error" role="alert">
      <p class="error-title">{title}</p>
      <p>{help}</p>
      {kind === "OTHER" && <p class="detail">{`${problem.code} ${figures.told(problem.detail)}`.trim()}</p>}
      {onRetry && <Button onPress={onRetry}>{words.value.tryAgain}</Button>}
    </div>
  );
}
