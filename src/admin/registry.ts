/**
 * Every operation of the administration, under the noun and verb that people type. Each is defined in its own room;
 * `admin/operations/operation.ts` defines what one is. `commands.ts` derives commands from them.
 */

import { ALERT_OPERATIONS } from "../ops/alerts/alert-operations.ts";
import { BACKUP_OPERATIONS } from "../ops/backup/backups.ts";
import { RESUME_OPERATIONS } from "../ops/backup/resume.ts";
import { DATA_ERASE_OPERATIONS } from "../ops/backup/retained-copies.ts";
import { ACCOUNT_OPERATIONS } from "./operations/accounts.ts";
import { BATCH_CANCEL_OPERATIONS, BATCH_OPERATIONS } from "./operations/batches.ts";
import { CLOCK_OPERATIONS } from "./operations/clock.ts";
import { COMPAT_OPERATIONS } from "./operations/compat.ts";
import { CONFIG_OPERATIONS } from "./operations/config-reload.ts";
import { KEY_OPERATIONS } from "./operations/keys.ts";
import { OPERATOR_CODE_OPERATIONS } from "./operations/operator-codes.ts";
import { TEST_OPERATIONS } from "./operations/operator-test.ts";
import { OPERATOR_OPERATIONS, PAUSE_OPERATIONS } from "./operations/operators.ts";
import { PORTED_OPERATIONS } from "./operations/ported-numbers.ts";
import { PRICE_OPERATIONS } from "./operations/prices.ts";
import { PURGE_OPERATIONS } from "./operations/purge.ts";
import { INBOUND_TEXT_OPERATIONS, MESSAGE_TEXT_OPERATIONS } from "./operations/revealed-texts.ts";
import { SENDER_OPERATIONS } from "./operations/senders.ts";
import { SMPP_LIVE_OPERATIONS, SMPP_USER_OPERATIONS } from "./operations/smpp-users.ts";
import {
  SUPPRESSION_FIND_OPERATIONS,
  SUPPRESSION_IMPORT_OPERATIONS,
  SUPPRESSION_OPERATIONS,
} from "./operations/suppressions.ts";
import { USER_LIST_OPERATIONS, USER_OPERATIONS } from "./operations/users.ts";
import { WALLET_OPERATIONS, WALLET_PREVIEW_OPERATIONS } from "./operations/wallets.ts";
import { WEBHOOK_OPERATIONS, WEBHOOK_SECRET_OPERATIONS } from "./operations/webhooks.ts";
import { WHATSAPP_OPERATIONS } from "./operations/whatsapp.ts";
import { ACCOUNT_FIND_OPERATIONS } from "./reports/account-find.ts";
import { AUDIT_OPERATIONS } from "./reports/audit.ts";
import { BATCH_FIND_OPERATIONS } from "./reports/batch-find.ts";
import { DATA_EXPORT_OPERATIONS } from "./reports/data-export.ts";
import { REPORT_OPERATIONS } from "./reports/delivery.ts";
import { INBOUND_OPERATIONS } from "./reports/inbound.ts";
import { INVOICE_OPERATIONS } from "./reports/invoice.ts";
import { LAST_CHECK_OPERATIONS, LEDGER_CHECK_OPERATIONS } from "./reports/ledger-check.ts";
import { MARGIN_OPERATIONS } from "./reports/margin.ts";
import { MESSAGE_FIND_OPERATIONS, MESSAGE_REFERENCE_OPERATIONS } from "./reports/message-search.ts";
import { MESSAGE_TRACE_OPERATIONS } from "./reports/message-trace.ts";
import { QUEUE_OPERATIONS } from "./reports/queue.ts";
import { REJECTION_OPERATIONS } from "./reports/rejected-recipients.ts";
import { STATEMENT_OPERATIONS } from "./reports/statements.ts";
import { STORAGE_OPERATIONS } from "./reports/storage.ts";
import { UNANSWERED_OPERATIONS } from "./reports/unknown-outcomes.ts";
import { RECEIPT_OPERATIONS } from "./reports/unmatched-receipts.ts";

/** In the order in which help lists their nouns. */
export const OPERATIONS = {
  ...ACCOUNT_OPERATIONS,
  ...ACCOUNT_FIND_OPERATIONS,
  ...KEY_OPERATIONS,
  ...COMPAT_OPERATIONS,
  ...SMPP_USER_OPERATIONS,
  ...SMPP_LIVE_OPERATIONS,
  ...WALLET_OPERATIONS,
  ...STATEMENT_OPERATIONS,
  ...INVOICE_OPERATIONS,
  ...WALLET_PREVIEW_OPERATIONS,
  ...SENDER_OPERATIONS,
  ...SUPPRESSION_OPERATIONS,
  ...SUPPRESSION_IMPORT_OPERATIONS,
  ...SUPPRESSION_FIND_OPERATIONS,
  ...PRICE_OPERATIONS,
  ...BATCH_OPERATIONS,
  ...BATCH_FIND_OPERATIONS,
  ...REJECTION_OPERATIONS,
  ...BATCH_CANCEL_OPERATIONS,
  ...MESSAGE_FIND_OPERATIONS,
  ...MESSAGE_REFERENCE_OPERATIONS,
  ...MESSAGE_TRACE_OPERATIONS,
  ...MESSAGE_TEXT_OPERATIONS,
  ...INBOUND_OPERATIONS,
  ...INBOUND_TEXT_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...MARGIN_OPERATIONS,
  ...QUEUE_OPERATIONS,
  ...OPERATOR_OPERATIONS,
  ...UNANSWERED_OPERATIONS,
  ...RECEIPT_OPERATIONS,
  ...PAUSE_OPERATIONS,
  ...TEST_OPERATIONS,
  ...OPERATOR_CODE_OPERATIONS,
  ...PORTED_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...WEBHOOK_SECRET_OPERATIONS,
  ...WHATSAPP_OPERATIONS,
  ...USER_OPERATIONS,
  ...USER_LIST_OPERATIONS,
  ...DATA_EXPORT_OPERATIONS,
  ...DATA_ERASE_OPERATIONS,
  ...STORAGE_OPERATIONS,
  ...PURGE_OPERATIONS,
  ...CONFIG_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...LEDGER_CHECK_OPERATIONS,
  ...LAST_CHECK_OPERATIONS,
  ...CLOCK_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...BACKUP_OPERATIONS,
  ...RESUME_OPERATIONS,
};
