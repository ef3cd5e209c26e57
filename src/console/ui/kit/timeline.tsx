/** What happened, with its times, in order. */
import type { ComponentChildren } from "preact";
import { figures } from "../words/words.ts";

export type Moment = {
  readonly at: string | null;
  readonly title: string;
  readonly tone?: "good" | "busy" | "bad";
  readonly detail?: ComponentChildren;
};

/** The day of an instant, shown once for all moments of it. */
const dayOf = (at: string | null): string => (at === null ? "" : figures.date(at));

/** What happened, in order: the life of a message. */
export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  return (
    <ol class="timeline">
      {moments.map(({ at, title, tone = "busy", detail }, place) => (
        <li key={`${place} ${title}`} class={tone}>
          <time dateTime={at ?? undefined}>
            {dayOf(at) !== dayOf(moments[place - 1]?.at ?? null) && <span class="note">{dayOf(at)}</span>}
            {figures.clock(at)}
          </time>
          <div>
            <p class="moment">{title}</p>
            {detail && <div class="note">{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
