import { cloudOf, type Post } from "../cloud.ts";
import { unansweredPolicies } from "../connections.ts";
import type { Commanded } from "../exchanges.ts";
import type { ExpectedBatch, ExpectedMessage } from "../expected.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { carrying, joinsOf } from "../joins.ts";
import { mayHaveArrived, type Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const found = finder(
  "restored-held",
  "While a restore is undecided nothing leaves by any channel; what may have left before leaves again only where that was decided.",
);

/** A copy took the place of the data. `fromMs` to `toMs`: when it was made. */
type Restored = { readonly atMs: number; readonly fromMs: number; readonly toMs: number };

/** Nothing of its own accord, and nothing twice but by decision. */
export const restoredHeld: Rule = (history) =>
  restoresIn(history).flatMap((restored) => [
    ...undecided(history, restored),
    ...postedAgain(history, restored),
    ...sentAgain(history, restored),
  ]);

/** The restores of a run. */
export function restoresIn({ observations }: Pick<History, "observations">): readonly Restored[] {
  return observations.flatMap((seen) =>
    seen.kind === "restored" ? [{ atMs: seen.atMs, fromMs: seen.fromMs, toMs: seen.toMs }] : [],
  );
}

function decisionsAfter({ commands }: History, { atMs }: Restored): readonly Commanded[] {
  return commands.filter(
    ({ name, args, askedAtMs, wasDone }) =>
      name === "backup resume" && args.waiting !== undefined && askedAtMs >= atMs && wasDone !== "no",
  );
}

function undecided(history: History, restored: Restored): readonly Finding[] {
  const untilMs = decisionsAfter(history, restored)[0]?.askedAtMs ?? history.endAtMs;
  const isMeant = (atMs: number) => atMs > restored.atMs && atMs < untilMs;
  const until = `the copy was restored at ${at(restored.atMs)}, and nothing was decided until ${at(untilMs)}`;
  const submits = wiresOf(history)
    .submits.filter(({ writtenAtMs }) => isMeant(writtenAtMs))
    .map((submit) =>
      found(
        submit.writtenAtMs,
        `a submit to ${submit.text.destination} left at ${at(submit.writtenAtMs)} on link ${submit.link}: ${until}`,
      ),
    );
  const posts = [...cloudOf(history).byMessage.values()]
    .flat()
    .filter((post) => isMeant(post.atMs))
    .map((post) =>
      found(
        post.atMs,
        `post ${post.id} to +${post.to} left at ${at(post.atMs)}: ${until}`,
        post.messageId ?? "",
      ),
    );
  return [...submits, ...posts];
}

/** Whether somebody had said so of a class, and of an operator or of all, by an instant. */
function wasSaid(
  history: History,
  restored: Restored,
  waiting: string,
  messageClass: string,
  byMs: number,
): boolean {
  return decisionsAfter(history, restored).some(
    ({ args, askedAtMs }) =>
      args.waiting === waiting && askedAtMs <= byMs && (args.class ?? messageClass) === messageClass,
  );
}

/** Messages of WhatsApp that Meta had before and got again. */
function postedAgain(history: History, restored: Restored): readonly Finding[] {
  return [...cloudOf(history).byMessage].flatMap(([messageId, posts]): readonly Finding[] => {
    const before = posts.find((post) => post.atMs < restored.atMs && wasTaken(post, restored));
    const again = posts.find((post) => post.atMs > restored.atMs);
    if (!before || !again || isDecidedFor(history, restored, posts[0]?.category ?? "", again.atMs)) return [];
    const what = `message ${messageId} to +${again.to} was posted at ${at(before.atMs)} (post ${before.id}), and after the restore of ${at(restored.atMs)} again at ${at(again.atMs)} (post ${again.id})`;
    return [found(again.atMs, what, messageId)];
  });
}

/** Meta took it, and had not said before the restore that it did not send it. */
function wasTaken({ wamid, told }: Post, restored: Restored): boolean {
  return wamid !== null && !told.some(({ status, atMs }) => status === "failed" && atMs < restored.atMs);
}

const CLASSES: Readonly<Record<string, string>> = {
  authentication: "OTP",
  utility: "TRANSACTIONAL",
  marketing: "MARKETING",
};

/** A template may have been moved to another category meanwhile: then any class will do. */
function isDecidedFor(history: History, restored: Restored, category: string, byMs: number): boolean {
  const named = CLASSES[category];
  return Object.values(CLASSES)
    .filter((each) => named === undefined || each === named)
    .some((each) => wasSaid(history, restored, "send", each, byMs));
}

/** Texts that a handset may have had before and that left again. */
function sentAgain(history: History, restored: Restored): readonly Finding[] {
  return joinsOf(history).groups.flatMap((group): readonly Finding[] => {
    const [only, ...others] = group.messages;
    // What was not answered before the copy may be submitted anew by its client, who has no batch of it there.
    if (!only || others.length > 0 || !stoodInCopy(only.batch, restored)) return [];
    const findings: Finding[] = [];
    for (let part = 1; part <= group.segments; part++) {
      const submits = carrying(group, part).filter(mayHaveArrived);
      const before = submits.filter(({ writtenAtMs }) => writtenAtMs < restored.atMs);
      const again = submits.find(({ writtenAtMs }) => writtenAtMs > restored.atMs);
      if (!again || before.length === 0 || isAllowed(history, restored, only.message, before, again))
        continue;
      const what = `part ${part} to ${only.message.msisdn} of batch ${only.message.batchId}, place ${only.message.index} (${only.message.messageClass}), left at ${at(before[0]?.writtenAtMs ?? 0)}, and after the restore of ${at(restored.atMs)} again at ${at(again.writtenAtMs)}`;
      findings.push(found(again.writtenAtMs, what, only.message.batchId ?? ""));
    }
    return findings;
  });
}

function stoodInCopy({ acknowledged }: ExpectedBatch, { fromMs }: Restored): boolean {
  const answeredAtMs = acknowledged?.endedAtMs ?? null;
  return answeredAtMs !== null && answeredAtMs < fromMs;
}

function isAllowed(
  history: History,
  restored: Restored,
  { messageClass }: ExpectedMessage,
  before: readonly Submit[],
  again: Submit,
): boolean {
  const said = (waiting: string) => wasSaid(history, restored, waiting, messageClass, again.writtenAtMs);
  if (said("send")) return true;
  const shouldResend = unansweredPolicies(history, messageClass).has("resend");
  if (shouldResend && said("policy")) return true;
  // What was with the operator in the copy goes by the rule of its class, whatever is decided of the others.
  const mayBeInFlight = before.some(
    ({ writtenAtMs, answers }) =>
      writtenAtMs < restored.toMs &&
      !answers.some(({ heardAtMs }) => heardAtMs !== null && heardAtMs < restored.fromMs),
  );
  // Told before the copy that it was refused or is to be tried later, it had not left.
  const wasRefused = before.every(({ answers }) => answers.some(({ status }) => status !== 0));
  return wasRefused || (shouldResend && mayBeInFlight && decisionsAfter(history, restored).length > 0);
}
