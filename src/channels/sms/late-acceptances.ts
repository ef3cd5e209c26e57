/**
 * What became of a resend's message while it was about to leave: the answer to an earlier submit, or a receipt, may have
 * told that the operator has it. Of a long message a resend may wait part by part for as long as a link in doubt takes one
 * submit at a time, which is just when late answers come.
 */

import type { Reader } from "../../db/read.ts";
import { acceptedParts } from "../../domain/messages/queue.ts";
import type { PendingSubmit } from "./link.ts";

export type LateAcceptances = {
  /** Segments were accepted late: counts from this moment until it is called off, once that is durable. */
  readonly note: (messageId: number, parts: readonly number[]) => () => void;
  /** All that a submit carries has been accepted, by another submit. Reads the database for resends only. */
  readonly covers: (outgoing: PendingSubmit) => boolean;
};

export function lateAcceptances(read: Reader): LateAcceptances {
  const noted = new Map<number, Set<readonly number[]>>();
  const partsNow = (messageId: number): Set<number> => {
    try {
      return acceptedParts(read, messageId);
    } catch {
      // It was claimed and is to leave: what cannot be read is no reason against it, and must not leave it behind.
      return new Set();
    }
  };
  return {
    note: (messageId, parts) => {
      const all = noted.get(messageId) ?? new Set();
      noted.set(messageId, all.add(parts));
      return () => {
        all.delete(parts);
        if (all.size === 0) noted.delete(messageId);
      };
    },
    covers: ({ attempt, submit }) => {
      const { id, resends } = attempt.candidate.message;
      if (resends === 0) return false;
      const known = partsNow(id);
      for (const parts of noted.get(id) ?? []) for (const part of parts) known.add(part);
      return submit.parts.every((part) => known.has(part));
    },
  };
}
