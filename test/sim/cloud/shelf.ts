/** The templates as Meta has them: what they are now, what it lists, and what it tells of them by the webhook. */
import type { ActorEdges } from "../actors.ts";
import { type CloudTemplate, listed, TEMPLATES } from "./templates.ts";

/** What may change of a template. */
export type TemplateState = { readonly status: string; readonly category: string; readonly quality: string };

export type Shelf = {
  readonly stateOf: (name: string) => TemplateState;
  /** Elements of the list that Meta answers with. */
  readonly list: () => readonly object[];
  readonly status: (name: string, status: string, forMs: number, isTold: boolean) => void;
  readonly move: (move: Move) => void;
  /** Announces a move that is never made. */
  readonly notice: (name: string, category: string) => void;
  readonly quality: (name: string, quality: string, isTold: boolean) => void;
  /** Every template is what it was first, and nothing more becomes of it. */
  readonly calm: () => void;
};

type Move = {
  readonly name: string;
  readonly category: string;
  /** Announced so long before; null: not at all. */
  readonly noticeMs: number | null;
  readonly forMs: number;
  readonly isTold: boolean;
};

const GOOD = { status: "APPROVED", quality: "GREEN" } as const;
/** A move that is announced is for the next day, where it is not said otherwise. */
const NOTICE_MS = 86_400_000;

/** `tell` tells the webhook a change. */
export function openShelf(
  { clock, observe }: Pick<ActorEdges, "clock" | "observe">,
  tell: (change: object) => void,
): Shelf {
  const first = ({ category }: CloudTemplate): TemplateState => ({ ...GOOD, category });
  const states = new Map(TEMPLATES.map((each) => [each.name, first(each)]));
  const stateOf = (name: string): TemplateState => states.get(name) ?? { ...GOOD, category: "" };
  const see = (template: CloudTemplate): void => {
    const { name, body } = template;
    observe({ kind: "template", name, body, ...stateOf(name) });
  };
  let isCalm = false;
  const change = (name: string, changes: Partial<TemplateState>): void => {
    const template = TEMPLATES.find((each) => each.name === name);
    if (template === undefined) return;
    states.set(name, { ...stateOf(name), ...changes });
    see(template);
  };
  const later = (ms: number, work: () => void): void => {
    clock.after(ms, () => {
      if (!isCalm) work();
    });
  };
  const firstCategory = (name: string) => TEMPLATES.find((each) => each.name === name)?.category ?? "";
  const moved = (name: string, category: string, isTold: boolean): void => {
    const previous_category = stateOf(name).category;
    change(name, { category });
    if (isTold) tell(news("template_category_update", name, { previous_category, new_category: category }));
  };
  const announced = (name: string, category: string, inMs: number): void => {
    tell(
      news("template_category_update", name, {
        correct_category: category,
        new_category: stateOf(name).category,
        category_update_timestamp: Math.floor((clock.nowMs() + inMs) / 1000),
      }),
    );
  };
  for (const each of TEMPLATES) see(each);
  return {
    stateOf,
    list: () => TEMPLATES.map((each) => listed(each, stateOf(each.name))),
    status: (name, status, forMs, isTold) => {
      const be = (now: string): void => {
        change(name, { status: now });
        if (isTold) tell(news("message_template_status_update", name, { event: now, reason: null }));
      };
      be(status);
      later(forMs, () => be("APPROVED"));
    },
    move: ({ name, category, noticeMs, forMs, isTold }) => {
      if (noticeMs !== null) announced(name, category, noticeMs);
      later(noticeMs ?? 0, () => {
        moved(name, category, isTold);
        later(forMs, () => moved(name, firstCategory(name), isTold));
      });
    },
    notice: (name, category) => announced(name, category, NOTICE_MS),
    quality: (name, quality, isTold) => {
      const previous_quality_score = stateOf(name).quality;
      change(name, { quality });
      const said = { previous_quality_score, new_quality_score: quality };
      if (isTold) tell(news("message_template_quality_update", name, said));
    },
    calm: () => {
      isCalm = true;
      for (const each of TEMPLATES) {
        const { status, category } = stateOf(each.name);
        if (status !== GOOD.status || category !== each.category) {
          change(each.name, { status: GOOD.status, category: each.category });
        }
      }
    },
  };
}

function news(field: string, name: string, said: object): object {
  const which = { message_template_name: name, message_template_language: "fr", message_template_id: name };
  return { field, value: { ...said, ...which } };
}
