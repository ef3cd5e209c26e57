/** Reads the statuses in calls of Meta's webhook, as far as they are understood. Pure. */
import { pickDecisiveCode } from "./meta-errors.ts";
import { type Fields, readFields, readInteger, readList, readTime, readWaId } from "./meta-json.ts";

/** The statuses that Meta reports of a message. */
export const STATUS_NAMES = ["sent", "delivered", "read", "failed"] as const;

/** One status of one message. */
export type CloudStatus = {
  readonly wamid: string;
  readonly status: (typeof STATUS_NAMES)[number];
  /** When it happened, as Meta says; null where it does not. */
  readonly atMs: number | null;
  readonly opaque: string | null;
  /** Meta's id of the user; null where it does not say. */
  readonly userId: string | null;
  /** The wa_id of a user who shows a number, in digits; null where Meta does not say. */
  readonly waId: string | null;
  /** Of a failure: Meta's code. */
  readonly code: number | null;
  /** Whether Meta bills it; true where nothing is said. */
  readonly isBillable: boolean;
  /** The category that Meta priced it as, in its words; null where nothing is said. */
  readonly category: string | null;
};

/** One `change` of a call: its field, and all that it says. */
export type CloudChange = {
  readonly waba: string;
  readonly field: string;
  readonly value: Fields;
  /** When Meta first reported it; null where it does not say. */
  readonly atMs: number | null;
};

/** The changes in a call; null for a body that is none of Meta's. */
export function parseChanges(body: unknown): readonly CloudChange[] | null {
  const { object, entry } = readFields(body);
  if (object !== "whatsapp_business_account" || !Array.isArray(entry)) return null;
  return entry.map(readFields).flatMap(({ id, changes, time }) =>
    readList(changes).flatMap((change) => {
      const { field, value } = readFields(change);
      if (typeof field !== "string") return [];
      return [{ waba: String(id ?? ""), field, value: readFields(value), atMs: readTime(time) }];
    }),
  );
}

/** The statuses of a change, and how many of its parts were not understood. */
export function parseStatuses({ value }: Pick<CloudChange, "value">): {
  readonly statuses: readonly CloudStatus[];
  readonly unknown: number;
} {
  const all = readList(value.statuses).map(readStatus);
  const statuses = all.filter((status) => status !== null);
  return { statuses, unknown: all.length - statuses.length };
}

function readStatus(told: unknown): CloudStatus | null {
  const fields = readFields(told);
  const status = STATUS_NAMES.find((name) => name === fields.status);
  const { id, biz_opaque_callback_data: opaque, recipient_user_id: userId } = fields;
  if (typeof id !== "string" || id === "" || id.length > 512 || status === undefined) return null;
  const pricing = readFields(fields.pricing);
  const [error] = readList(fields.errors).map(readFields);
  const codes = { code: readInteger(error?.code), subcode: readInteger(error?.error_subcode) };
  return {
    wamid: id,
    status,
    opaque: typeof opaque === "string" ? opaque : null,
    userId: typeof userId === "string" && userId !== "" && userId.length <= 512 ? userId : null,
    waId: readWaId(fields.recipient_id),
    atMs: readTime(fields.timestamp),
    code: pickDecisiveCode(codes),
    isBillable: pricing.billable !== false,
    category: typeof pricing.category === "string" ? pricing.category : null,
  };
}
