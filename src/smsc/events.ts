import type { BindKind } from "../smpp/command.ts";
import type { HandsetText } from "./handset.ts";
import type { Stat, SubmitStatus } from "./states.ts";

/** What the simulated operator sees and does, as it happens. */
export type SmscEvent = { readonly atMs: number } & (
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "bound"; readonly link: number; readonly systemId: string; readonly bind: BindKind }
  | {
      readonly kind: "bind_refused";
      readonly link: number;
      readonly systemId: string;
      readonly status: SubmitStatus;
    }
  | { readonly kind: "closed"; readonly link: number; readonly systemId: string | null; readonly why: string }
  /** A submit_sm was answered, or would have been: `status` null is one left without an answer. */
  | {
      readonly kind: "submit";
      readonly link: number;
      readonly from: string;
      readonly to: string;
      readonly id: string | null;
      readonly status: SubmitStatus | null;
    }
  /** A whole text is on a handset. */
  | ({ readonly kind: "text" } & HandsetText)
  /** A message met its end, whether a receipt tells so or not. */
  | {
      readonly kind: "outcome";
      readonly to: string;
      readonly id: string;
      readonly stat: Stat;
      readonly receipts: number;
    }
  /** A receipt was acknowledged; `status` is that of the deliver_sm_resp. */
  | { readonly kind: "acknowledged"; readonly link: number; readonly status: number }
  /** The other side broke a rule of the protocol. */
  | { readonly kind: "violation"; readonly link: number; readonly what: string }
);

/** Sums since the start. */
export type SmscStats = {
  readonly links: number;
  readonly submits: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
  /** Whole texts on handsets. */
  readonly texts: number;
  /** Texts of which a part is missing. */
  readonly incompleteTexts: number;
  readonly receiptsSent: number;
  readonly receiptsAcknowledged: number;
  /** Receipts and replies that wait for a bind that can receive, or for their acknowledgement. */
  readonly receiptsWaiting: number;
  readonly dropped: number;
  readonly violations: number;
  /** The most submit_sm that waited for an answer on one link. */
  readonly mostUnansweredOnLink: number;
};
