/** The bodies of calls to the webhook, as far as Meta's are imitated. */

/** `atMs`: when it happened, where Meta tells that beside the value. */
export type WebhookChange = {
  readonly waba: string;
  readonly field: string;
  readonly value: object;
  readonly atMs?: number;
};

export type StatusOfPost = {
  readonly phone: string;
  readonly waba: string;
  readonly status: object;
};

export function statusOf(told: {
  readonly wamid: string;
  readonly status: string;
  readonly atMs: number;
  /** The user's id. */
  readonly to: string;
  readonly opaque: string | null;
  readonly category: string;
  readonly isBillable: boolean;
  readonly error: { readonly code: number; readonly title: string } | null;
}): object {
  const { wamid, status, atMs, to, opaque, category, isBillable, error } = told;
  const pricing = {
    billable: isBillable,
    pricing_model: "PMP",
    category,
    type: isBillable ? "regular" : "free_entry_point",
  };
  return {
    id: wamid,
    status,
    timestamp: String(Math.floor(atMs / 1000)),
    recipient_id: to,
    ...(error === null ? { pricing } : { errors: [{ ...error, message: error.title }] }),
    ...(opaque === null ? {} : { biz_opaque_callback_data: opaque }),
  };
}

/** Makes the changes for statuses that are sent together: one change for each number. */
export function changesOf(statuses: readonly StatusOfPost[]): readonly WebhookChange[] {
  const phones = Map.groupBy(statuses, ({ phone }) => phone);
  return [...phones].map(([phone, of]) => ({
    waba: of[0]?.waba ?? "",
    field: "messages",
    value: { ...messagesOf(phone), statuses: of.map(({ status }) => status) },
  }));
}

/** How a user writes: a new text, an answer to the last post, its button, or a choice from a list. */
export type UserIdentity = "text" | "reply" | "button" | "list";

export function textChange(told: {
  readonly waba: string;
  readonly phone: string;
  readonly id: string;
  readonly from: string;
  readonly atMs: number;
  readonly text: string;
  readonly by: UserIdentity;
  /** The last post to the user, which all but a text of its own are about; null for none. */
  readonly answers: string | null;
}): WebhookChange {
  const { waba, phone, id, from, atMs, text, by, answers } = told;
  const contacts = [{ wa_id: from, profile: { name: "Awa" } }];
  const timestamp = String(Math.floor(atMs / 1000));
  const context = by === "text" || answers === null ? {} : { context: { from: phone, id: answers } };
  const messages = [{ from, id, timestamp, ...context, ...saidBy(by, text) }];
  return { waba, field: "messages", value: { ...messagesOf(phone), contacts, messages } };
}

function saidBy(by: UserIdentity, text: string): object {
  switch (by) {
    case "text":
    case "reply":
      return { type: "text", text: { body: text } };
    case "button":
      return { type: "button", button: { text, payload: text } };
    case "list":
      return {
        type: "interactive",
        interactive: { type: "list_reply", list_reply: { id: "1", title: text } },
      };
  }
}

export function preferenceChange(told: {
  readonly waba: string;
  readonly phone: string;
  readonly user: string;
  readonly atMs: number;
  readonly value: "stop" | "resume";
}): WebhookChange {
  const { waba, phone, user, atMs, value } = told;
  const preference = {
    wa_id: user,
    detail: `User requested to ${value} marketing messages`,
    category: "marketing_messages",
    value,
    timestamp: Math.floor(atMs / 1000),
  };
  return { waba, field: "user_preferences", value: { ...messagesOf(phone), user_preferences: [preference] } };
}

/** The body of one call. */
export function webhookBody(changes: readonly WebhookChange[]): string {
  return JSON.stringify({
    object: "whatsapp_business_account",
    entry: changes.map(({ waba, field, value, atMs }) => ({
      id: waba,
      changes: [{ field, value }],
      ...(atMs === undefined ? {} : { time: Math.floor(atMs / 1000) }),
    })),
  });
}

function messagesOf(phone: string): object {
  return {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: "22600000000", phone_number_id: phone },
  };
}
