/**
 * Which claimed messages this process has a lease of: from before their claim is committed until the end of the attempt is
 * durable. A SUBMITTED message that is not here, and that does not wait for an overdue answer, is to be recovered
 * (`lease-recovery.ts`). The end of one attempt may let the next begin before its lease is released, as where a message goes on
 * by another channel: leases of a message are counted.
 */
export class Leases {
  /** How many leases each message has. */
  readonly #held = new Map<number, number>();
  /** Messages of which the operator accepted something that could not be written, until they are recovered. */
  readonly #taken = new Set<number>();

  acquire(messageId: number): void {
    this.#held.set(messageId, (this.#held.get(messageId) ?? 0) + 1);
  }

  release(messageId: number): void {
    const others = (this.#held.get(messageId) ?? 0) - 1;
    if (others > 0) this.#held.set(messageId, others);
    else this.#held.delete(messageId);
  }

  has(messageId: number): boolean {
    return this.#held.has(messageId);
  }

  /** Released, though the operator accepted something of it that could not be written. */
  releaseTaken(messageId: number): void {
    this.release(messageId);
    this.#taken.add(messageId);
  }

  /** Whether it was released so, and not recovered since. */
  isTaken(messageId: number): boolean {
    return this.#taken.has(messageId);
  }

  /** It was recovered, and what becomes of it is durable. */
  settled(messageId: number): void {
    this.#taken.delete(messageId);
  }
}
