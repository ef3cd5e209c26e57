/** How a test text of an administrator leaves, whatever the channel. */
import type { TrialHindrance } from "../../channels/sms/trials.ts";
import { refuse } from "./refusal.ts";

export type OperatorTestAsked = {
  readonly msisdn: string;
  /** Null: one that names the operator and the time. */
  readonly text: string | null;
  readonly sender: string | null;
  readonly waitSeconds: number;
  /** Whether a number is taken that by its prefix is not of the operator: it may have been ported there. */
  readonly anyNumber: boolean;
};

export type TestWay = {
  readonly hindrance: () => TrialHindrance | null;
  readonly sender: string;
  /** Whether anything is told of its delivery. */
  readonly receipts: boolean;
  /** Hands over a test that is durable; what it returns takes it back where it has not left. */
  readonly offer: (id: number, msisdn: string) => () => Promise<void>;
};

export function notNow() {
  return refuse("NOT_NOW");
}
