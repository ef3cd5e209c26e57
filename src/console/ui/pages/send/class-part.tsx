import { useEffect } from "preact/hooks";
import { Section } from "../../kit/page.tsx";
import { sending } from "../../words/send.ts";
import { classWord, figures } from "../../words/words.ts";
import type { SendingAccount } from "./form.ts";
import { type ChosenClass, change, form } from "./form.ts";
import { Radios } from "./radios.tsx";

/** The most frequent first. */
const ORDER: readonly ChosenClass[] = ["MARKETING", "TRANSACTIONAL", "OTP"];

/** What kind of text it is, and what that means for hours and people. */
export function ClassPart({ account }: { readonly account: SendingAccount }) {
  const allowed = ORDER.filter((name) => account.classes.includes(name));
  const { messageClass } = form.value;
  const [first = null] = allowed;
  useEffect(() => {
    if (messageClass === null || !allowed.includes(messageClass)) change({ messageClass: first });
  }, [account.account_id]);
  const { messageClass: words } = sending.value;
  const helpOf = (name: ChosenClass): string => `${words.IS[name]} ${decidedBy(name, account)}`;
  return (
    <Section title={words.title}>
      <Radios
        name="class"
        legend={words.title}
        value={messageClass}
        options={allowed.map((value) => ({ value, label: classWord(value), help: helpOf(value) }))}
        onValue={(value) => change({ messageClass: value })}
      />
    </Section>
  );
}

/** What a class decides: when texts leave, and who gets none. */
export function decidedBy(name: ChosenClass, account: SendingAccount): string {
  const { messageClass: words } = sending.value;
  return name === "MARKETING"
    ? words.MARKETING({ hours: hoursOf(account), caps: capsOf(account) })
    : words[name];
}

function hoursOf({ policy }: SendingAccount): string {
  const { messageClass: words } = sending.value;
  const [from = "", to = ""] = policy.marketing_hours.split("-");
  return policy.marketing_hours === "00:00-24:00" ? words.allDay : words.hours({ from, to });
}

function capsOf({ policy }: SendingAccount): string {
  const { messageClass: words } = sending.value;
  const { marketing_per_day: day, marketing_per_week: week } = policy;
  if (day > 0 && week > 0) return words.capsBoth({ day: figures.number(day), week: figures.number(week) });
  if (day > 0) return words.capDay({ day: figures.number(day) });
  return week > 0 ? words.capWeek({ week: figures.number(week) }) : "";
}
