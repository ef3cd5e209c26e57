/** Every route over operations and reports, in one table. */
import { ACCOUNT_ROUTES } from "./accounts.ts";
import { ALERT_ROUTES } from "./alerts.ts";
import { APPLIANCE_ROUTES, BACKUP_ROUTES } from "./appliance.ts";
import { AUDIT_ROUTES } from "./audit.ts";
import { BATCH_REPORT_ROUTES } from "./batch-report.ts";
import { BATCH_ROUTES } from "./batches.ts";
import { INBOUND_ROUTES } from "./inbound.ts";
import { KEY_ROUTES } from "./keys.ts";
import { LEFT_OUT_ROUTES } from "./left-out.ts";
import { MARGIN_ROUTES } from "./margin.ts";
import { MESSAGE_ROUTES } from "./messages.ts";
import { NAME_ROUTES } from "./names.ts";
import { OPERATOR_DRAFT_ROUTES } from "./operator-draft.ts";
import { OPERATOR_ROUTES, TEMPLATE_ROUTES } from "./operators.ts";
import { PRICE_ROUTES } from "./prices.ts";
import { QUEUE_ROUTES } from "./queue.ts";
import { REPORT_ROUTES } from "./reports.ts";
import { SEARCH_ROUTES } from "./search.ts";
import { SEND_ROUTES } from "./send.ts";
import { SENDER_ROUTES } from "./senders.ts";
import { SETTINGS_ROUTES } from "./settings.ts";
import { SMPP_ROUTES } from "./smpp.ts";
import { SUPPRESSION_ROUTES } from "./suppressions.ts";
import { USER_ROUTES } from "./users.ts";
import { WALLET_ROUTES } from "./wallet.ts";
import { WEBHOOK_ROUTES } from "./webhooks.ts";

export const ROUTES = {
  ...ALERT_ROUTES,
  ...APPLIANCE_ROUTES,
  ...AUDIT_ROUTES,
  ...BACKUP_ROUTES,
  ...OPERATOR_ROUTES,
  ...TEMPLATE_ROUTES,
  ...QUEUE_ROUTES,
  ...MESSAGE_ROUTES,
  ...LEFT_OUT_ROUTES,
  ...NAME_ROUTES,
  ...BATCH_ROUTES,
  ...BATCH_REPORT_ROUTES,
  ...INBOUND_ROUTES,
  ...SUPPRESSION_ROUTES,
  ...SEARCH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...PRICE_ROUTES,
  ...WALLET_ROUTES,
  ...SENDER_ROUTES,
  ...KEY_ROUTES,
  ...SMPP_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SEND_ROUTES,
  ...REPORT_ROUTES,
  ...MARGIN_ROUTES,
  ...USER_ROUTES,
  ...OPERATOR_DRAFT_ROUTES,
  ...SETTINGS_ROUTES,
};

export type Routes = typeof ROUTES;

/** `GET /batches/:batch` and its kin. */
export type RouteName = keyof Routes;
