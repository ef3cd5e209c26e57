/**
 * What a message costs, what is reserved for it, and what its status does to both (docs/behaviour.md#reservation, #charge-and-release):
 * as functions, and in SQL for sums over many. Pure.
 */
import type { ChargeOn, Xof } from "../../core/money.ts";
import type { Status } from "./message-status.ts";

/** What a message costs in full by the leg that carries it: no more is ever charged (docs/behaviour.md#charge-and-release). */
export function costOf({ segments, price }: { readonly segments: number; readonly price: Xof }): Xof {
  return segments * price;
}

/** What is reserved for a message: its cost, or that of its other leg where that is dearer. */
export function reservedOf(message: Parameters<typeof costOf>[0] & { readonly excess: Xof }): Xof {
  return costOf(message) + message.excess;
}

/** The same in SQL, of the row `m`, and of the other leg `w` of a message with a fallback. */
export const COST = "m.segments * m.price";
export const OTHER_COST = "w.segments * w.price";

/** What is reserved beyond that for the message `m` of the batch `b`, in SQL: nothing where the batch has no fallback. */
export const EXCESS_RESERVATION = `CASE b.channel WHEN 'SMS' THEN 0
  ELSE coalesce((SELECT w.excess_amount FROM fallbacks w WHERE w.message_id = m.id), 0) END`;

/** All of it in SQL, of the same; and what of it was given back, which is nothing before its money is closed. */
export const RESERVED = `${COST} + ${EXCESS_RESERVATION}`;
export const RELEASED = `(${RESERVED} - m.amount) * m.is_money_closed`;

/** What decides about the money of a message. */
export type PricedMessage = {
  readonly status: Status;
  readonly isFinal: boolean;
  readonly segments: number;
  /** Of one segment. */
  readonly price: Xof;
  /** Segments the operator accepted. */
  readonly acceptedSegments: number;
};

/** `amount` is charged; once it `isClosed`, the rest of the reservation is released. */
export type MoneyPosition = { readonly amount: Xof; readonly isClosed: boolean };

const OPEN: MoneyPosition = { amount: 0, isClosed: false };

/**
 * The money of a message as a function of its state (docs/behaviour.md#charge-and-release). By default it is charged
 * when the operator has accepted every segment, whatever the receipt says later. With "delivered" it is charged when it
 * is delivered or ends SENT, since only an undelivered receipt releases. A message that ends before it is SENT pays for
 * the segments the operator took, under the default rule.
 */
export function deriveMoneyPosition(message: PricedMessage, chargeOn: ChargeOn): MoneyPosition {
  const whole = costOf(message);
  switch (message.status) {
    case "QUEUED":
    case "SUBMITTED":
      return OPEN;
    case "SENT":
      return chargeOn === "accepted" || message.isFinal ? { amount: whole, isClosed: true } : OPEN;
    case "DELIVERED":
      return { amount: whole, isClosed: true };
    case "FAILED":
    case "CANCELLED":
      // All of them, of one that ever was SENT: that is what SENT means.
      return {
        amount: chargeOn === "accepted" ? costOf({ ...message, segments: message.acceptedSegments }) : 0,
        isClosed: true,
      };
  }
}
