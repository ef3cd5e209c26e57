/** The templates as Meta had them, from moment to moment. */
import type { Observation } from "../observation.ts";
import type { History } from "./history.ts";
import { once } from "./once.ts";

export type TemplateAt = {
  readonly atMs: number;
  readonly status: string;
  readonly category: string;
  readonly quality: string;
};

/** By name, each state from when it was so, in order. */
export const templatesOf = once((history): ReadonlyMap<string, readonly TemplateAt[]> => {
  const seen = history.observations.filter((each) => each.kind === "template");
  return Map.groupBy(seen, ({ name }) => name);
});

/** The category that each class goes by. */
export const CATEGORY_OF: Readonly<Record<string, string>> = {
  OTP: "AUTHENTICATION",
  TRANSACTIONAL: "UTILITY",
  MARKETING: "MARKETING",
};

/** When the templates were read, as far as Meta answered with them. */
export const readingsOf = once((history): readonly number[] =>
  history.observations.flatMap((seen) =>
    seen.kind === "templates read" && seen.status === 200 ? [seen.atMs] : [],
  ),
);

/** The template with the text of a body, by name; null where none has it, and where nobody saw Meta's templates. */
export const templateOfBody = (history: History, body: string): string | null =>
  namesByText(history).get(comparable(body)) ?? null;

const namesByText = once((history) => textsIn(history.observations));

/** Tells whether a template says a body, whatever its places are called; yes where nobody saw Meta's templates. */
export function templateTexts(observations: readonly Observation[]): (body: string) => boolean {
  const texts = textsIn(observations);
  return (body) => texts.size === 0 || texts.has(comparable(body));
}

function textsIn(observations: readonly Observation[]): ReadonlyMap<string, string> {
  return new Map(
    observations.flatMap((seen) =>
      seen.kind === "template" ? [[comparable(seen.body), seen.name] as const] : [],
    ),
  );
}

/** White space is one space, and a place is a place. */
function comparable(body: string): string {
  return body
    .replace(/\{\{[^{}]+\}\}|\{[\p{L}\p{M}\p{N}_.-]+\}/gu, "\u0000")
    .replace(/\s+/g, " ")
    .trim();
}
