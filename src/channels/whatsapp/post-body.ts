/** What is posted for one message, as Meta takes it. */

/** A value in the place of a template's parameter. `name`: of a template whose parameters have names; null where they are numbered. */
export type TemplateValue = { readonly name: string | null; readonly text: string };

export type PostContent =
  | {
      readonly kind: "template";
      readonly name: string;
      readonly language: string;
      readonly values: readonly TemplateValue[];
      /** The code that the button copies; null: the template has no such button. */
      readonly copiedCode: string | null;
    }
  /** Free text, which some accounts may send without a template. */
  | {
      readonly kind: "direct";
      readonly text: string;
      readonly category: "utility" | "authentication";
      readonly ttlSeconds: number;
    };

/** The body of the request. `to`: the number with or without "+". */
export function renderPostBody(to: string, what: PostContent, opaque: string): string {
  const head = { messaging_product: "whatsapp", recipient_type: "individual", to: to.replace("+", "") };
  return JSON.stringify({ ...head, ...saidOf(what), biz_opaque_callback_data: opaque });
}

function saidOf(what: PostContent): object {
  if (what.kind === "direct") {
    const { text, category, ttlSeconds } = what;
    return { type: "text", text: { body: text }, category, ttl_seconds: ttlSeconds };
  }
  const { name, language, values, copiedCode } = what;
  const parameters = values.map((value) => ({
    type: "text",
    ...(value.name === null ? {} : { parameter_name: value.name }),
    text: value.text,
  }));
  const components = [
    ...(parameters.length === 0 ? [] : [{ type: "body", parameters }]),
    ...(copiedCode === null ? [] : [buttonWith(copiedCode)]),
  ];
  const template = { name, language: { code: language, policy: "deterministic" } };
  return { type: "template", template: { ...template, ...(components.length === 0 ? {} : { components }) } };
}

function buttonWith(code: string): object {
  return { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: code }] };
}

/** What comes back with every status of a post: the message's id and the number of the post. */
export function encodeOpaque(messageUlid: string, n: number): string {
  return `${messageUlid}.${n}`;
}

/** Reads it; null for what is not ours. */
export function decodeOpaque(opaque: string): { readonly messageUlid: string; readonly n: number } | null {
  const [, messageUlid = "", digits = ""] = /^([0-9A-HJKMNP-TV-Z]{26})\.([1-9]\d{0,5})$/.exec(opaque) ?? [];
  return messageUlid === "" ? null : { messageUlid, n: Number(digits) };
}
