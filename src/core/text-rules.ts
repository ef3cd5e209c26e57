/** Text rules that a batch may set for its texts, and an account for all of its batches. */

/**
 * Whether a text may be rewritten so that it fits the GSM 7-bit alphabet (docs/behaviour.md#text-policy): never, where it then has
 * no more segments, or always, and a text that can't be is not sent.
 */
export const TEXT_POLICIES = ["as_is", "rewrite", "gsm_only"] as const;

export type TextPolicy = (typeof TEXT_POLICIES)[number];

/** What becomes of a tag without a value: an empty text, or the recipient is rejected (docs/behaviour.md#missing-attributes). */
export const MISSING_ATTRIBUTES = ["empty", "reject"] as const;

export type MissingAttributes = (typeof MISSING_ATTRIBUTES)[number];

/** The rules for the texts of a batch. */
export type TextRules = {
  readonly textPolicy: TextPolicy;
  readonly missingAttributes: MissingAttributes;
};

/** The rules for whoever sets none. */
export const PLAIN_TEXT_RULES: TextRules = { textPolicy: "as_is", missingAttributes: "empty" };
