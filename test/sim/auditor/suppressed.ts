/** Who may stand on a suppression list by what subscribers wrote. */
import { cloudOf } from "./cloud.ts";
import { preferencesOf, textsOf } from "./cloud-users.ts";
import type { History } from "./history.ts";
import type { Period } from "./in-force.ts";
import { once } from "./once.ts";
import { wiresOf } from "./wires.ts";

/**
 * A text that came in from the number, which may be one that opts out, or a word of Meta that its user has stopped marketing: nobody knows
 * from when on it counts.
 */
export function hasWritten(history: History, msisdn: string, { toMs }: Period): boolean {
  const digits = msisdn.slice(1);
  const firstMs = Math.min(
    ...[firstWritten(history), firstStopped(history)].map((first) => first.get(digits) ?? Infinity),
  );
  return firstMs <= toMs;
}

/** The same of an SMS alone, at any time. */
export function hasWrittenBySms(history: History, msisdn: string): boolean {
  return firstWritten(history).has(msisdn.slice(1));
}

const STOPPED_MARKETING = 131050;

/** Whether Meta said of a post to a user, in digits, that he has stopped marketing. */
export function isToldByPosts(history: History, digits: string): boolean {
  return cloudOf(history).posts.some(
    ({ to, code, told }) =>
      to === digits && (code === STOPPED_MARKETING || told.some((each) => each.code === STOPPED_MARKETING)),
  );
}

const firstStopped = once((history) => {
  const first = new Map<string, number>();
  for (const { to, atMs, code, told } of cloudOf(history).posts) {
    const isSaid = code === STOPPED_MARKETING || told.some((each) => each.code === STOPPED_MARKETING);
    if (isSaid && !first.has(to)) first.set(to, atMs);
  }
  for (const { from, atMs } of [...textsOf(history), ...preferencesOf(history)]) {
    first.set(from, Math.min(first.get(from) ?? Infinity, atMs));
  }
  return first;
});

/** When the first text came in from each number. */
const firstWritten = once((history) => {
  const first = new Map<string, number>();
  for (const { pdu, writtenAtMs } of wiresOf(history).delivers) {
    if (pdu.pdu.kind !== "deliver_sm") continue;
    const from = pdu.pdu.text.source.replace(/^\+/, "");
    first.set(from, Math.min(first.get(from) ?? Infinity, writtenAtMs));
  }
  return first;
});
