/**
 * A pace that connections share, of one operator or several (`shared_pace`): one token bucket, and whose message takes the next token. OTP
 * of any operator goes first; apart from that the operators take turns, a message each. A throttled answer to one connection rests all.
 *
 * Over all connections together, no more is claimed than the bucket allows at that moment, so that messages leave in the order in which they
 * were claimed.
 */
import type { MessageClass } from "../domain/accounts/message-class.ts";
import { createPace, createPacePart, type Pace } from "./pace.ts";

type IsWanted = (messageClass: MessageClass) => boolean;

/** The connections of one operator that share a pace. */
export type PaceMember = {
  /** Claims one message of the wanted classes for one of them; whether there was one that they may carry now. */
  readonly claimOne: (isWanted: IsWanted, nowMs: number) => boolean;
  /** Submits that are claimed for them, or are being claimed, and leave as soon as the pace allows it. */
  readonly countPending: () => number;
  /** Whether nothing of the operator waits that goes before a new message of a class, or takes turns with it. */
  readonly isNext: (messageClass: MessageClass) => boolean;
  /** There may be something to claim. */
  readonly ask: () => void;
};

const isOtp: IsWanted = (messageClass) => messageClass === "OTP";
const isAny: IsWanted = () => true;

export class SharedPace {
  private readonly bucket: Pace;
  private members: readonly PaceMember[] = [];
  /** The place of the member that is asked first, for OTP and for the rest. */
  private readonly turns = { otp: 0, rest: 0 };

  constructor(throughput: number) {
    this.bucket = createPace(throughput);
  }

  /** The pace of one connection, at the throughput that all of them have. */
  open(throughput: number): Pace {
    this.bucket.allow(throughput);
    return createPacePart(this.bucket, throughput);
  }

  join(member: PaceMember): void {
    if (!this.members.includes(member)) this.members = [...this.members, member];
  }

  /** What the member had claimed and not sent keeps nobody waiting any more. */
  leave(member: PaceMember): void {
    this.members = this.members.filter((one) => one !== member);
    for (const { ask } of this.members) ask();
  }

  countPending(): number {
    return this.members.reduce((sum, member) => sum + member.countPending(), 0);
  }

  /** Whether a new message of a member's class may leave before all that waits for the others. */
  isNext(member: PaceMember, messageClass: MessageClass): boolean {
    const before = isOtp(messageClass) ? messageClass : "MARKETING";
    return this.members.every((other) => other === member || other.isNext(before));
  }

  /** Has the members claim as much as the pace allows, each in its turn; whether any did. */
  distribute(nowMs: number): boolean {
    let hasClaimed = false;
    while (this.hasRoom(nowMs) && this.giveTurn("otp", isOtp, nowMs)) hasClaimed = true;
    while (this.hasRoom(nowMs) && this.giveTurn("rest", isAny, nowMs)) hasClaimed = true;
    return hasClaimed;
  }

  private hasRoom(nowMs: number): boolean {
    return this.bucket.available(nowMs) > this.countPending();
  }

  private giveTurn(kind: "otp" | "rest", isWanted: IsWanted, nowMs: number): boolean {
    const { members, turns } = this;
    for (let step = 0; step < members.length; step++) {
      const place = (turns[kind] + step) % members.length;
      if (!members[place]?.claimOne(isWanted, nowMs)) continue;
      turns[kind] = place + 1;
      return true;
    }
    return false;
  }
}

/** The paces that connections share, by their word. One that nobody uses any more is kept: what left by it still counts. */
export class SharedPaces {
  private readonly byWord = new Map<string, SharedPace>();

  /** The pace of a word; null where the connection has none. */
  of(word: string, throughput: number): SharedPace | null {
    if (word === "") return null;
    const known = this.byWord.get(word) ?? new SharedPace(throughput);
    this.byWord.set(word, known);
    return known;
  }
}
