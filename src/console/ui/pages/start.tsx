import { useEffect, useState } from "preact/hooks";
import { ask, type Problem } from "../api/client.ts";
import { ErrorBox, Page } from "../kit/kit.ts";
import { isLost, live, useLive } from "../state/live.ts";
import { me } from "../state/session.ts";
import { figures, words } from "../words/words.ts";
import { AccountStart } from "./account-start.tsx";
import { StaffStart } from "./staff-start.tsx";

/** The first page: what goes on now. The figures are asked for once, and then told as they change. */
export function Start() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const load = async (): Promise<void> => {
    const answer = await ask("GET /start", {});
    if (!answer.ok) setProblem(answer.problem);
    else {
      setProblem(null);
      live.value ??= answer.value;
    }
  };
  useLive();
  useEffect(() => void load(), []);
  const { start, loading } = words.value;
  const now = live.value;
  const isStaff = me.value?.account === null;
  return (
    <Page
      title={isStaff ? start.staffTitle : start.accountTitle}
      aside={
        <p class={isLost.value ? "as-of lost" : "as-of"}>
          {isLost.value ? start.lost : now && start.live({ time: figures.clock(now.at) })}
        </p>
      }
    >
      {problem && !now && <ErrorBox problem={problem} onRetry={() => void load()} />}
      {!problem && !now && <p class="note">{loading}…</p>}
      {now?.kind === "staff" && <StaffStart now={now} />}
      {now?.kind === "account" && <AccountStart now={now} />}
    </Page>
  );
}
