import type { Problem } from "./types.gen.ts";

/** What a call ends with that the service refused, or that had no answer after its last try. */
export type BendreError = Error & {
  /** A code of the page of codes and errors; `NO_ANSWER` where none came. Others may be added. */
  readonly code: string;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** By this whoever runs the service finds the request; null where no answer came. */
  readonly requestId: string | null;
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  /** The fields at fault, where the request was malformed. */
  readonly errors: NonNullable<Problem["errors"]>;
};

/** Whether something that was thrown is an error of this package. */
export function isBendreError(error: unknown): error is BendreError {
  return error instanceof Error && error.name === "BendreError";
}

/** The error of a refusal. What is no body of this API (a proxy's page, say) is told by its status alone. */
export function refusalError(status: number, body: unknown): BendreError {
  const problem: Partial<Problem> = typeof body === "object" && body !== null ? body : {};
  const code = problem.code ?? `HTTP_${status}`;
  return Object.assign(new Error(`${code}: ${problem.detail ?? "no detail"}`), {
    name: "BendreError",
    code,
    status,
    requestId: problem.request_id ?? null,
    isRetryable: problem.is_retryable ?? (status === 429 || status >= 500),
    errors: problem.errors ?? [],
  });
}

/** The error of a call that nobody answered. */
export function noAnswerError(cause: unknown): BendreError {
  return Object.assign(
    new Error("NO_ANSWER: the service could not be reached, or did not answer in time", { cause }),
    {
      name: "BendreError",
      code: "NO_ANSWER",
      status: 0,
      requestId: null,
      isRetryable: true,
      errors: [],
    },
  );
}
