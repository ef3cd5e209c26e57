/** The page "Operators": each connection, what waits, delivery share and delay by day; pause, resume, reconnect. */
import { type Static, Type as t } from "typebox";
import { operatorTest, operatorTests } from "../../../admin/operations/operator-test.ts";
import {
  operatorStatus,
  PAUSE_EVERY_OPERATOR,
  PAUSE_OPERATIONS,
} from "../../../admin/operations/operators.ts";
import { done } from "../../../admin/operations/refusal.ts";
import { WHATSAPP_OPERATIONS, whatsappTemplates } from "../../../admin/operations/whatsapp.ts";
import { deliveryReport } from "../../../admin/reports/delivery.ts";
import { hideCharges } from "./money-visibility.ts";
import { operationRoutes } from "./operation-routes.ts";
import { type PageContext, told } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { filters, INSTANT, nullable, WORD } from "./schemas.ts";

const OPERATOR_PATH = t.Object({ code: WORD });
type OperatorPath = Static<typeof OPERATOR_PATH>;
const TEST = t.Object({
  msisdn: WORD,
  sender: t.Optional(nullable(WORD)),
  /** Whether it is sent even where the prefix belongs to another operator. */
  any_number: t.Optional(t.Boolean()),
});
const DELIVERY_SPAN = filters({ from: INSTANT, to: INSTANT });

/** The name and the present state of every configured operator. */
async function operatorsPage({ context, may, translate }: PageContext) {
  const status = await operatorStatus(context);
  if (!status.ok) return status;
  const operators = Object.entries(context.config.operators).map(
    ([code, { name, prefixes, price, receipts }]) => ({
      code,
      name,
      prefixes,
      receipts,
      /** Whole XOF a segment, for those who may see prices; null where the operator has none. */
      ...(may("prices.read") && { price: price ?? null }),
    }),
  );
  const connections = status.value.connections.map((one) => ({
    ...one,
    /** The answer of an operator that takes nothing is in the reader's words. */
    refusing: one.refusing && { ...one.refusing, answer: translate(one.refusing.answer) },
  }));
  const accounts = status.value.smsc_accounts.map((one) => ({
    ...one,
    receipts: translate(one.receipts),
  }));
  return done({ operators, ...status.value, connections, smsc_accounts: accounts });
}

export type OperatorsView = Extract<
  Awaited<ReturnType<typeof operatorsPage>>,
  { readonly ok: true }
>["value"];

/** Delivery share and delay of one operator by day. */
async function operatorDelivery(
  { context, seesMoney }: PageContext,
  { code, ...span }: OperatorPath & QueryOf<typeof DELIVERY_SPAN>,
) {
  const report = await deliveryReport(context, { by: "day", account: null, operator: code, ...span });
  if (!report.ok) return report;
  const { rows, totals, ...rest } = report.value;
  const shown = rows.map((row) => hideCharges(seesMoney, row));
  return done({ ...rest, rows: shown, totals: hideCharges(seesMoney, totals) });
}

/** How long a dialog may seem to do nothing; a test that takes longer is polled. */
const TEST_WAIT_SECONDS = 5;
const LAST_TESTS = 5;

/** Sends one test text over an operator, outside of all accounts. */
async function testOperator(
  asked: PageContext,
  { code, msisdn, sender = null, any_number: anyNumber = false }: OperatorPath & Static<typeof TEST>,
) {
  const tested = await operatorTest(asked.context, code, {
    msisdn,
    sender,
    text: null,
    waitSeconds: TEST_WAIT_SECONDS,
    anyNumber,
  });
  return told(asked, tested);
}

export const OPERATOR_ROUTES = {
  "GET /operators": route("operators.read", operatorsPage),
  "GET /operators/:code/delivery": route("operators.read", operatorDelivery, {
    params: OPERATOR_PATH,
    query: DELIVERY_SPAN,
  }),
  "GET /operators/:code/tests": route(
    "operators.read",
    (asked, { code }) => told(asked, operatorTests(asked.context, code, LAST_TESTS)),
    { params: OPERATOR_PATH },
  ),
  "POST /operators/:code/test": route("operators.change", testOperator, {
    params: OPERATOR_PATH,
    body: TEST,
  }),
  ...operationRoutes({
    "POST /operators/pause": PAUSE_EVERY_OPERATOR,
    "POST /operators/:code/pause": PAUSE_OPERATIONS["operator pause"],
    "POST /operators/:code/resume": PAUSE_OPERATIONS["operator resume"],
    "POST /operators/:code/reconnect": PAUSE_OPERATIONS["operator reconnect"],
  }),
};

// The page "Templates": what WhatsApp numbers can send, and why the rest cannot; resuming one that was stopped.

export const TEMPLATE_ROUTES = {
  "GET /templates": route("operators.read", (asked) => told(asked, whatsappTemplates(asked.context))),
  ...operationRoutes({ "POST /templates/release": WHATSAPP_OPERATIONS["whatsapp release"] }),
};
