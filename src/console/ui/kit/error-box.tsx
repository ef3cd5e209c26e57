/** What went wrong with a request, and what is shown once it was answered. */
import type { ComponentChildren } from "preact";
import type { Problem } from "../api/client.ts";
import { figures, words } from "../words/words.ts";
import { Button } from "./button.tsx";

function kindOf({ status, code, detail }: Problem): keyof typeof words.value.errors {
  if (code === "UNREACHABLE") return "UNREACHABLE";
  if (status === 403) return "FORBIDDEN";
  if (status === 404) return "NOT_FOUND";
  if (status === 429) return "TOO_MANY";
  return status >= 400 && status < 500 && detail !== "" ? "REFUSED" : "OTHER";
}

type ErrorBoxProps = {
  /** Null: nothing went wrong, and nothing is shown. */
  readonly problem: Problem | null;
  readonly onRetry?: () => unknown;
};

/** What went wrong and what helps. A refusal of the request itself has no retry: that cannot help. */
export function ErrorBox({ problem, onRetry }: ErrorBoxProps) {
  if (problem === null) return null;
  const kind = kindOf(problem);
  const { title, help } = words.value.errors[kind];
  return (
    <div class="error" role="alert">
      <p class="error-title">{title}</p>
      <p>{kind === "REFUSED" ? figures.saying(problem.detail) : help}</p>
      {kind === "OTHER" && <p class="detail">{`${problem.code} ${figures.saying(problem.detail)}`.trim()}</p>}
      {onRetry && kind !== "REFUSED" && <Button onPress={onRetry}>{words.value.tryAgain}</Button>}
    </div>
  );
}

type LoadedProps<Value> = {
  /** As `useRequest` returns it. */
  readonly of: {
    readonly value: Value | null;
    readonly problem: Problem | null;
    readonly reload: () => unknown;
  };
  /** Why an action on it was refused. */
  readonly failed?: Problem | null;
  readonly children: (value: Value) => ComponentChildren;
};

/** Shows what was loaded once it is there, and above it what went wrong. */
export function Loaded<Value>({
  of: { value, problem, reload },
  failed = null,
  children,
}: LoadedProps<Value>) {
  return (
    <>
      <ErrorBox problem={failed ?? problem} onRetry={reload} />
      {value !== null && children(value)}
    </>
  );
}
