/** Words after how long, or from how much on, an alarm is sent, by the settings of its rule. Pure. */

import type { ApplianceWords } from "../../../../i18n/words.gen.d.ts";

type Limits = Readonly<Record<string, number>>;
type Words = ApplianceWords["alarms"]["delays"];

const MINUTE = 60;
const HOUR = 3600;

/** Null of a rule without a delay or threshold. */
export function ruleDelay(limits: Limits, words: Words): string | null {
  const { seconds, answers, hours, days, points, messages, percent, receipts } = limits;
  if (seconds !== undefined) {
    if (seconds === 0 && answers === undefined) return null;
    const lasting = words.after({ time: lastingText(seconds, words) });
    return answers === undefined
      ? lasting
      : words.andAnswers({ after: lasting, answers: words.answers(answers) });
  }
  if (hours !== undefined) return words.after({ time: words.hours(hours) });
  if (days !== undefined) return words.before({ time: words.days(days) });
  if (points !== undefined)
    return words.below({
      points: words.points(points),
      messages: words.messages(messages ?? 0),
    });
  if (percent !== undefined)
    return words.above({ percent: String(percent), receipts: words.receipts(receipts ?? 0) });
  return null;
}

/** In the largest unit that says it exactly. */
function lastingText(seconds: number, words: Words): string {
  if (seconds > 0 && seconds % HOUR === 0) return words.hours(seconds / HOUR);
  if (seconds > 0 && seconds % MINUTE === 0) return words.minutes(seconds / MINUTE);
  return words.seconds(seconds);
}
