import type { Problem } from "../../api/client.ts";
import { ErrorBox } from "../../kit/error-box.tsx";

/** Why something was refused: in the server's own words where it was about what was brought. */
export function Refusal({ problem, title }: { readonly problem: Problem; readonly title?: string }) {
  const isTheirs = [409, 413, 422].includes(problem.status) && problem.detail !== "";
  if (!isTheirs) return <ErrorBox problem={problem} />;
  return (
    <div class="error" role="alert">
      {title && <p class="error-title">{title}</p>}
      <p>{problem.detail}</p>
    </div>
  );
}
