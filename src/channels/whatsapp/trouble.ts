import type { MessageClass } from "../../domain/accounts/classes.ts";
import type { MetaErrorClass, ThrottledScope } from "./consequence.ts";

/** What one answer or status says of more than its message. */
export type NumberTrouble =
  | { readonly kind: "slow"; readonly slows: ThrottledScope; readonly restMs: number }
  | { readonly kind: "stop"; readonly code: number }
  /** Nothing is sent with a template. `isNews`: that was not known. */
  | { readonly kind: "template"; readonly wabaId: string; readonly name: string; readonly isNews: boolean }
  /** Text of a class without a template has stopped, by its number: Meta priced it as another category. */
  | { readonly kind: "direct"; readonly messageClass: MessageClass; readonly priced: string }
  /** The number may not write to users of a country, known by its calling code. */
  | { readonly kind: "country"; readonly country: string };

/** What a consequence means for the number, its account or the app; null: nothing. Pure. */
export function toNumberTrouble(what: MetaErrorClass, code: number): NumberTrouble | null {
  switch (what.kind) {
    case "again":
      return { kind: "slow", slows: what.slows, restMs: what.restMs };
    case "stop":
      return { kind: "stop", code };
    case "final":
    case "doubt":
      return null;
  }
}
