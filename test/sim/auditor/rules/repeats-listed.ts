import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { listedOf, repeatedOf } from "../repeats.ts";

const found = finder(
  "repeats-listed",
  "Every text that may have come twice stands among the unanswered: `operator unanswered` lists it, and its trace keeps that.",
);

/** What may have reached a handset twice, the appliance says of itself. */
export function repeatsListed(history: History): readonly Finding[] {
  return repeatedOf(history).flatMap((repeated) => {
    const { messageId, part, arrived, doubted } = repeated;
    const listed = listedOf(history, repeated);
    if (listed === null || listed >= doubted) return [];
    const times = arrived.map(({ writtenAtMs, link }) => `${at(writtenAtMs)} on link ${link}`).join(", ");
    const what = `part ${part} of message ${messageId} may have arrived ${arrived.length} times (${times}), and its trace has ${listed} without an answer`;
    return [found(arrived.at(-1)?.writtenAtMs ?? 0, what, messageId ?? "")];
  });
}
