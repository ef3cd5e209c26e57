import { table, whole } from "./setting.ts";

function kept(max: number, initial: number, description: string) {
  return whole({ min: 0, max, default: initial, description: `${description} 0: for ever.` });
}

/** How long things are kept (docs/behaviour.md#10-retention). */
export const RetentionSchema = table({
  text_days: kept(3650, 30, "How long texts are kept after their messages have ended."),
  otp_text_hours: kept(87_600, 24, "The same of texts of the class OTP."),
  message_days: kept(
    3650,
    400,
    "How long messages are kept after they have ended: their numbers, what happened to them, rejected recipients. What they cost is kept for ever.",
  ),
  inbound_days: kept(3650, 90, "What subscribers send in is kept for so long. An opt-out stands for ever."),
  event_days: kept(
    3650,
    30,
    "How long what endpoints are told of is kept, and no shorter than they can ask for.",
  ),
  audit_days: kept(36_500, 1100, "How long it is kept who changed what."),
});
