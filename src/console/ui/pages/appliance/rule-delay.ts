/** Words after how long, or from how much on, an alarm is sent, by the settings of its rule. Pure. */

import type { ApplianceWords } from "../../../../i18n/words.gen.d.ts";
import type { PluralForms } from "../../format.ts";

type Limits = Readonly<Record<string, number>>;
type Words = ApplianceWords["alarms"];
type Told = {
  readonly words: Words["delays"];
  readonly count: (value: number, forms: PluralForms) => string;
};

const MINUTE = 60;
const HOUR = 3600;

/** Null of a rule without a delay or threshold. */
export function ruleDelay(limits: Limits, { words, count }: Told): string | null {
  const { seconds, answers, hours, days, points, messages, percent, receipts } = limits;
  if (seconds !== undefined) {
    if (seconds === 0 && answers === undefined) return null;
    const lasting = words.after({ time: lastingText(seconds, { words, count }) });
    return answers === undefined
      ? lasting
      : words.andAnswers({ after: lasting, answers: count(answers, words.answers) });
  }
  if (hours !== undefined) return words.after({ time: count(hours, words.hours) });
  if (days !== undefined) return words.before({ time: count(days, words.days) });
  if (points !== undefined)
    return words.below({
      points: count(points, words.points),
      messages: count(messages ?? 0, words.messages),
    });
  if (percent !== undefined)
    return words.above({ percent: String(percent), receipts: count(receipts ?? 0, words.receipts) });
  return null;
}

/** In the largest unit that says it exactly. */
function lastingText(seconds: number, { words, count }: Told): string {
  if (seconds > 0 && seconds % HOUR === 0) return count(seconds / HOUR, words.hours);
  if (seconds > 0 && seconds % MINUTE === 0) return count(seconds / MINUTE, words.minutes);
  return count(seconds, words.seconds);
}
