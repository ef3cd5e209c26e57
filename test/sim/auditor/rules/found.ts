import { audit } from "../audit.ts";
import type { Rule } from "../finding.ts";
import type { Scene } from "../scene.ts";

/** The stories that rules tell of a scene, in one text; empty where they find nothing. */
export function found(scene: Scene, ...rules: readonly Rule[]): string {
  return audit(scene.observations, rules)
    .findings.map(({ rule, what }) => `${rule}: ${what}`)
    .join("\n");
}
