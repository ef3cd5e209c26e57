/**
 * What this room asks of a channel: one of the two interfaces that a channel has. This one is for accepting batches, `dispatch/worker.ts`
 * for sending what waits. A channel says whether it can carry a batch, and resolves a recipient's number, price and text.
 */

import type { Channel } from "../../core/channels.ts";
import type { ChargeOn, Xof } from "../../core/money.ts";
import type { Attributes } from "../../text/template.ts";
import type { Account } from "../accounts/accounts.ts";
import type { MessageEncoding } from "../messages/encodings.ts";
import type { NewBatch } from "../messages/insert.ts";
import type { OwnerOf } from "./phone-numbers.ts";
import type { RejectionReason } from "./rejections.ts";
import type { IntakeOutcome, TemplateName } from "./request.ts";
import type { Warning } from "./warnings.ts";

/** What a batch asks of its channel. */
export type ChannelRequest = Pick<
  NewBatch,
  "sender" | "messageClass" | "body" | "otherTags" | "textPolicy"
> & {
  /** The template that its client named; null for none. */
  readonly template: TemplateName | null;
};

/** A batch as its channel carries it. */
type CarriedBatch = Pick<NewBatch, "body" | "channelNote"> & {
  /** When it is charged; null: as its account is configured. */
  readonly chargeOn: ChargeOn | null;
};

/** What an operator means for a batch of one account and class. */
export type OperatorRoute = {
  /** Of one segment, for this account and class. */
  readonly price: Xof;
  /** The most parts a text may have there. */
  readonly maxSegments: number;
};

/** A text for one recipient: as it was written, and as it would be sent. */
export type WeighedText = {
  readonly written: string;
  readonly rendered: string;
  readonly encoding: MessageEncoding;
  readonly segments: number;
};

/** What the recipients of one batch come to. */
export type ChannelTerms = {
  /** The operator that a number belongs to. */
  readonly owner: OwnerOf;
  /** Looks the owners of some numbers (E.164 without "+") up together, which costs less than one by one; absent where that costs nothing. */
  readonly lookUp?: (digits: readonly string[]) => void;
  /** Null: the operator has no price, for the account or for everybody. */
  readonly routeOf: (operator: string) => OperatorRoute | null;
  /** The text for a recipient, or why there can be none; null for one that no operator takes, however many parts it allows. */
  readonly textFor: (attributes: Attributes | null) => WeighedText | RejectionReason | null;
  /** The codings that a quote counts messages by. */
  readonly encodings: readonly MessageEncoding[];
  /** Warnings for the client of a batch with so many recipients. */
  readonly warnings: (recipients: number) => readonly Warning[];
};

export type IntakeChannel = {
  /** Whether the channel can carry such a batch; asked before its 202, however many recipients it has. */
  readonly carry: (account: Account, request: ChannelRequest) => IntakeOutcome<CarriedBatch>;
  /** The terms of a batch as prices and configuration stand now. */
  readonly termsOf: (account: Account, batch: NewBatch) => ChannelTerms;
};

export type IntakeChannels = Readonly<Record<Channel, IntakeChannel>>;
