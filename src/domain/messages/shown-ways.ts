/** What a client is shown of the ways of a message (docs/behaviour.md#fallback). */

import type { Channel } from "../../core/channels.ts";
import { isoUtc } from "../../core/clock.ts";
import { operatorOfLane } from "../../core/sandbox.ts";
import { errorObject } from "./message-error.ts";
import type { MessageWays, WayEnd } from "./second-ways.ts";
import type { Status } from "./status.ts";

/** What a statement over the messages `m` selects of a message that has left its first way: JSON, or null. */
export const SHOWN_WAYS = `(SELECT json_object('stage', w.stage, 'operator', w.operator, 'shown', w.shown,
    'submitted_at', w.submitted_at, 'sent_at', w.sent_at, 'moved_at', w.moved_at,
    'status', w.status, 'at', w.at, 'errorCode', w.error_code, 'operatorCode', w.operator_code)
  FROM second_ways w WHERE w.message_id = m.id AND w.stage <> 'FIRST')`;

/** A message that has left its first way, as it is shown. */
export type ShownWays = Pick<MessageWays, "shown"> & {
  readonly stage: "SECOND" | "BACK";
  /** Of the way that the row does not hold. */
  readonly operator: string;
  readonly submitted_at: number | null;
  readonly sent_at: number | null;
  readonly moved_at: number;
} & { readonly [Name in keyof WayEnd]: WayEnd[Name] | null };

export function readWays(json: string | null): ShownWays | null {
  return json === null ? null : (JSON.parse(json) as ShownWays);
}

/** The channel that carries a message. */
export function carrierOf(channel: Channel, ways: ShownWays | null): Channel {
  return ways?.stage === "SECOND" ? SECOND : channel;
}

/** By which messages go on. */
const SECOND: Channel = "SMS";

/** One way that was used, as every message object shows them in their order. */
export type UsedChannel = {
  readonly channel: Channel;
  readonly operator: string;
  readonly status: Status;
  readonly at: string;
  readonly error: ReturnType<typeof errorObject>;
};

type Shown = {
  readonly channel: Channel;
  readonly operator: string;
  readonly status: Status;
  readonly error: UsedChannel["error"];
  /** When the message changed last, as its client sees it. */
  readonly changedAt: string;
};

/** The ways of a message in the order of use: the one that its row holds, and before or behind it the other. */
export function channelsOf(
  ways: ShownWays | null,
  { channel, operator, status, error, changedAt }: Shown,
): readonly UsedChannel[] {
  if (ways === null) return [{ channel, operator, status, at: changedAt, error }];
  const own = { channel: carrierOf(channel, ways), operator, status, at: isoUtc(ways.moved_at), error };
  if (ways.status === null || ways.at === null) return [own];
  const isSecondCarrying = ways.stage === "SECOND";
  const other: UsedChannel = {
    channel: isSecondCarrying ? channel : SECOND,
    operator: operatorOfLane(ways.operator),
    status: ways.status,
    at: isoUtc(ways.at),
    error: errorObject(ways.errorCode, ways.operatorCode),
  };
  return isSecondCarrying ? [other, own] : [own, other];
}
