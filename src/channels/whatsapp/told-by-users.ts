/** What users say to a number, read off Meta's calls as far as it is understood. Pure. */
import type { CloudChange } from "./statuses.ts";
import { type Fields, fieldsOf, listOf, timeOf, waIdOf } from "./told-json.ts";

/** A text that a user sent, or the text of what a user pressed or chose. */
export type UserText = {
  readonly phoneNumberId: string;
  /** The number as people write it, where Meta tells it. */
  readonly shownNumber: string | null;
  readonly id: string;
  /** What Meta calls a user who shows a number, in digits: it need not be the number that is written to. Null for one who shows none. */
  readonly from: string | null;
  /** What stands for such a user at Meta. */
  readonly userId: string | null;
  /** The post that the user answered. */
  readonly answers: string | null;
  readonly text: string;
  /** What whoever made the button or the choice calls it; null of what the user wrote. */
  readonly choiceId: string | null;
  /** When it was sent, as Meta says; null where it does not. */
  readonly atMs: number | null;
};

/** What a user said of marketing in WhatsApp itself. */
export type Preference = {
  readonly phoneNumberId: string;
  /** As of a text. */
  readonly from: string | null;
  readonly userId: string | null;
  readonly isStop: boolean;
  /** When it was said, as Meta tells; null where it does not. */
  readonly saidAtMs: number | null;
};

/** What was read of the parts of a change, and how many were not understood. */
export type Read<Part> = { readonly parts: readonly Part[]; readonly unknown: number };

const LONGEST_ID = 512;
const LONGEST_TEXT = 65_536;

/** The texts of a change; pictures, places and whatever else holds no text are not understood. */
export function textsIn({ value }: Pick<CloudChange, "value">): Read<UserText> {
  const number = numberOf(value);
  return readAll(value.messages, (told): UserText | null => {
    const fields = fieldsOf(told);
    const id = wordOf(fields.id, LONGEST_ID);
    const said = saidIn(fields);
    // A choice may come without its title.
    const text = said.text ?? said.choiceId;
    const from = waIdOf(fields.from);
    const userId = wordOf(fields.from_user_id, LONGEST_ID);
    if (number === null || id === null || text === null || (from === null && userId === null)) return null;
    return {
      ...number,
      id,
      from,
      userId,
      text,
      choiceId: said.choiceId,
      answers: wordOf(fieldsOf(fields.context).id, LONGEST_ID),
      atMs: timeOf(fields.timestamp),
    };
  });
}

/** What users of a change said of marketing. */
export function preferencesIn({ value }: Pick<CloudChange, "value">): Read<Preference> {
  const number = numberOf(value);
  return readAll(value.user_preferences, (told): Preference | null => {
    const { wa_id, user_id, category, value: said, timestamp } = fieldsOf(told);
    const [from, userId] = [waIdOf(wa_id), wordOf(user_id, LONGEST_ID)];
    if (number === null || (from === null && userId === null) || category !== "marketing_messages")
      return null;
    if (said !== "stop" && said !== "resume") return null;
    const saidAtMs = timeOf(timestamp);
    return { phoneNumberId: number.phoneNumberId, from, userId, isStop: said === "stop", saidAtMs };
  });
}

function readAll<Part>(told: unknown, read: (one: unknown) => Part | null): Read<Part> {
  const all = listOf(told).map(read);
  const parts = all.filter((part) => part !== null);
  return { parts, unknown: all.length - parts.length };
}

function numberOf(value: Fields): Pick<UserText, "phoneNumberId" | "shownNumber"> | null {
  const { phone_number_id, display_phone_number } = fieldsOf(value.metadata);
  const phoneNumberId = wordOf(phone_number_id, LONGEST_ID);
  return phoneNumberId === null ? null : { phoneNumberId, shownNumber: wordOf(display_phone_number, 64) };
}

/** The text of a message, or that of a button or a choice with what its maker calls it. */
function saidIn({
  type,
  text,
  button,
  interactive,
}: Fields): Pick<UserText, "choiceId"> & { text: string | null } {
  switch (type) {
    case "text":
      return { text: wordOf(fieldsOf(text).body, LONGEST_TEXT), choiceId: null };
    case "button": {
      const { text: shown, payload } = fieldsOf(button);
      return { text: wordOf(shown, LONGEST_TEXT), choiceId: wordOf(payload, LONGEST_ID) };
    }
    case "interactive": {
      const { button_reply, list_reply } = fieldsOf(interactive);
      const { title, id } = fieldsOf(button_reply ?? list_reply);
      return { text: wordOf(title, LONGEST_TEXT), choiceId: wordOf(id, LONGEST_ID) };
    }
    default:
      return { text: null, choiceId: null };
  }
}

function wordOf(value: unknown, longest: number): string | null {
  return typeof value === "string" && value !== "" && value.length <= longest ? value : null;
}
