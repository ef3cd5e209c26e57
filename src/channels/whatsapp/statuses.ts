/** Reads what Meta's webhook brings, as far as it is understood. Pure. */
import { tellingCode } from "./consequence.ts";
import { type Fields, fieldsOf, listOf, timeOf, waIdOf, wholeOf } from "./told-json.ts";

/** Statuses that Meta tells of a message. */
export const STATUS_NAMES = ["sent", "delivered", "read", "failed"] as const;

/** One status of one message. */
export type CloudStatus = {
  readonly wamid: string;
  readonly status: (typeof STATUS_NAMES)[number];
  /** When it happened, as Meta says; null where it does not. */
  readonly atMs: number | null;
  readonly opaque: string | null;
  /** What Meta calls the user; null where it does not say. */
  readonly userId: string | null;
  /** Of a user who shows a number: what Meta calls it, in digits; null where it does not say. */
  readonly waId: string | null;
  /** Of a failure: Meta's code. */
  readonly code: number | null;
  /** Whether Meta bills it; true where nothing is said. */
  readonly isBillable: boolean;
  /** What Meta priced it as, in its words; null where nothing is said. */
  readonly category: string | null;
};

/** One `change` of a call: its field, and all that it says. */
export type CloudChange = {
  readonly waba: string;
  readonly field: string;
  readonly value: Fields;
  /** When Meta began to tell it; null where it does not say. */
  readonly atMs: number | null;
};

/** The changes that a call brings; null for a body that is none of Meta's. */
export function changesIn(body: unknown): readonly CloudChange[] | null {
  const { object, entry } = fieldsOf(body);
  if (object !== "whatsapp_business_account" || !Array.isArray(entry)) return null;
  return entry.map(fieldsOf).flatMap(({ id, changes, time }) =>
    listOf(changes).flatMap((change) => {
      const { field, value } = fieldsOf(change);
      if (typeof field !== "string") return [];
      return [{ waba: String(id ?? ""), field, value: fieldsOf(value), atMs: timeOf(time) }];
    }),
  );
}

/** The statuses of a change, and how many of its parts were not understood. */
export function statusesIn({ value }: Pick<CloudChange, "value">): {
  readonly statuses: readonly CloudStatus[];
  readonly unknown: number;
} {
  const all = listOf(value.statuses).map(readStatus);
  const statuses = all.filter((status) => status !== null);
  return { statuses, unknown: all.length - statuses.length };
}

function readStatus(told: unknown): CloudStatus | null {
  const fields = fieldsOf(told);
  const status = STATUS_NAMES.find((name) => name === fields.status);
  const { id, biz_opaque_callback_data: opaque, recipient_user_id: userId } = fields;
  if (typeof id !== "string" || id === "" || id.length > 512 || status === undefined) return null;
  const pricing = fieldsOf(fields.pricing);
  const [error] = listOf(fields.errors).map(fieldsOf);
  const codes = { code: wholeOf(error?.code), subcode: wholeOf(error?.error_subcode) };
  return {
    wamid: id,
    status,
    opaque: typeof opaque === "string" ? opaque : null,
    userId: typeof userId === "string" && userId !== "" && userId.length <= 512 ? userId : null,
    waId: waIdOf(fields.recipient_id),
    atMs: timeOf(fields.timestamp),
    code: tellingCode(codes),
    isBillable: pricing.billable !== false,
    category: typeof pricing.category === "string" ? pricing.category : null,
  };
}
