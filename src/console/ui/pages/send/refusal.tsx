import type { Problem } from "../../api/client.ts";
import { ErrorBox } from "../../kit/error-box.tsx";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { payHelp } from "./unpayable.tsx";

/** Why something was refused: in the server's own words where it was about what was brought. */
export function Refusal({ problem, title }: { readonly problem: Problem; readonly title?: string }) {
  const isTheirs = [409, 413, 422].includes(problem.status) && problem.detail !== "";
  if (!isTheirs) return <ErrorBox problem={problem} />;
  const help = payHelp(problem.code);
  return (
    <div class="error" role="alert">
      {title && <p class="error-title">{title}</p>}
      {help === null ? <p>{problem.detail}</p> : <NotPaid detail={problem.detail} help={help} />}
    </div>
  );
}

/** The wallet no longer pays what it did when it was asked; where its amounts are not the reader's, the title says all. */
function NotPaid({ detail, help }: { readonly detail: string; readonly help: string }) {
  const { unpayable } = sending.value.check;
  const why = figures.saying(detail);
  return (
    <>
      <p class="error-title">{unpayable}</p>
      {why !== unpayable && <p>{`${why}.`}</p>}
      <p>{help}</p>
    </>
  );
}
