/** What a batch is for (docs/public-api.md section 2.1): decides priority, quiet hours, caps and the suppression list. */
export type MessageClass = "OTP" | "TRANSACTIONAL" | "MARKETING";

/** Every class, the most urgent first (docs/behaviour.md#order-of-sending). */
export const MESSAGE_CLASSES: readonly MessageClass[] = ["OTP", "TRANSACTIONAL", "MARKETING"];

/** Whether somebody waits for such a message at this moment, so that it goes before the work of campaigns. */
export function isUrgent(messageClass: MessageClass): boolean {
  return messageClass !== "MARKETING";
}

export function isMessageClass(text: string): text is MessageClass {
  return MESSAGE_CLASSES.some((known) => known === text);
}

/** Stored classes, comma-separated, as a list in order of urgency; what is not a class is left out. */
export function parseClasses(text: string): MessageClass[] {
  const named = text.split(",");
  return MESSAGE_CLASSES.filter((known) => named.includes(known));
}

/** The stored form of a set of classes: without repeats, in order of urgency. */
export function joinClasses(classes: readonly MessageClass[]): string {
  return MESSAGE_CLASSES.filter((known) => classes.includes(known)).join(",");
}
