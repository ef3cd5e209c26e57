/** The page "Operators": each connection, what waits, delivery share and delay by day; pause, resume, reconnect. */

import { type Static, Type as t } from "typebox";
import {
  everyOperatorPause,
  operatorPause,
  operatorReconnect,
  operatorResume,
} from "../../operations/operator-pauses.ts";
import { operatorTest, operatorTests } from "../../operations/operator-test.ts";
import { type OperatorStatusView, operatorStatus } from "../../operations/operators.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { deliveryReport } from "../../reports/delivery.ts";
import type { Asked } from "./asked.ts";
import { chargedFor } from "./money.ts";
import { route } from "./route.ts";
import { filters, INSTANT, nullable, REASON, WORD } from "./shapes.ts";

const OPERATOR_PATH = t.Object({ code: WORD });
export const CONNECTION = t.Object({
  connection: t.Optional(nullable(t.Integer({ minimum: 1, maximum: 1000 }))),
});
const PAUSE_ALL = t.Object({ reason: REASON });
const PAUSE = t.Object({ ...CONNECTION.properties, reason: REASON });
const TEST = t.Object({
  msisdn: WORD,
  sender: t.Optional(nullable(WORD)),
  /** Whether it is sent also to a number that is another operator's by its prefix. */
  any_number: t.Optional(t.Boolean()),
});
const DELIVERY_SPAN = filters({ from: INSTANT, to: INSTANT });

/** What every configured operator is called and does at this moment. */
async function operatorsPage({ context, may, inTheirWords }: Asked): Promise<AdminOutcome<OperatorsView>> {
  const status = await operatorStatus(context);
  if (!status.ok) return status;
  const operators = Object.entries(context.config.operators).map(
    ([code, { name, prefixes, price, receipts }]) => ({
      code,
      name,
      prefixes,
      receipts,
      price: may("prices.read") ? (price ?? null) : undefined,
    }),
  );
  const connections = status.value.connections.map((one) => ({
    ...one,
    refusing: one.refusing && { ...one.refusing, answer: inTheirWords(one.refusing.answer) },
  }));
  const accounts = status.value.smsc_accounts.map((one) => ({
    ...one,
    receipts: inTheirWords(one.receipts),
  }));
  return done({ operators, ...status.value, connections, smsc_accounts: accounts });
}

type Connection = OperatorStatusView["connections"][number];
type SmscAccount = OperatorStatusView["smsc_accounts"][number];

export type OperatorsView = Omit<OperatorStatusView, "connections" | "smsc_accounts"> & {
  /** What an operator answers while it takes nothing is in the reader's words. */
  readonly connections: readonly (Omit<Connection, "refusing"> & {
    readonly refusing:
      | (Omit<NonNullable<Connection["refusing"]>, "answer"> & { readonly answer: string })
      | null;
  })[];
  readonly smsc_accounts: readonly (Omit<SmscAccount, "receipts"> & { readonly receipts: string })[];
  readonly operators: readonly {
    readonly code: string;
    readonly name: string;
    readonly prefixes: readonly string[];
    readonly receipts: boolean;
    /** Whole XOF a segment, for those who may see prices; null where the operator has none. */
    readonly price?: number | null | undefined;
  }[];
};

/** Delivery share and delay of one operator by day. */
async function operatorDelivery(
  { context, seesMoney }: Asked,
  code: string,
  { from, to }: Static<typeof DELIVERY_SPAN>,
) {
  const span = { from: from ?? null, to: to ?? null };
  const report = await deliveryReport(context, { by: "day", account: null, operator: code, ...span });
  if (!report.ok) return report;
  const { rows, totals, ...rest } = report.value;
  const shown = rows.map((row) => chargedFor(seesMoney, row));
  return done({ ...rest, rows: shown, totals: chargedFor(seesMoney, totals) });
}

function pauseOperator({ context }: Asked, code: string, body: Static<typeof PAUSE>) {
  return operatorPause(context, code, placeOf(body), body.reason);
}

function resumeOperator({ context }: Asked, code: string, body: Static<typeof CONNECTION>) {
  return operatorResume(context, code, placeOf(body));
}

function reconnectOperator({ context }: Asked, code: string, body: Static<typeof CONNECTION>) {
  return operatorReconnect(context, code, placeOf(body));
}

function placeOf({ connection }: Static<typeof CONNECTION>): string | null {
  return connection === undefined || connection === null ? null : String(connection);
}

/** As long as somebody looks at a dialog that does nothing; what is not over by then is looked up. */
const TEST_WAIT_SECONDS = 5;
const LAST_TESTS = 5;

/** One text over an operator, outside of all accounts. */
async function testOperator(
  asked: Asked,
  code: string,
  { msisdn, sender = null, any_number: anyNumber = false }: Static<typeof TEST>,
) {
  const tested = await operatorTest(asked.context, code, {
    ...{ msisdn, sender, text: null, waitSeconds: TEST_WAIT_SECONDS, anyNumber },
  });
  return tested.ok ? done(testTold(asked, tested.value)) : tested;
}

/** The last tests of an operator, newest first, with what came of each since. */
function testsOf(asked: Asked, code: string) {
  const found = operatorTests(asked.context, code, LAST_TESTS);
  return found.ok ? done({ tests: found.value.tests.map((test) => testTold(asked, test)) }) : found;
}

type Test = Extract<Awaited<ReturnType<typeof operatorTest>>, { readonly ok: true }>["value"];

/** A test in the reader's words. */
function testTold<View extends Test>({ inTheirWords }: Asked, test: View) {
  const { detail, action } = test;
  return { ...test, detail: detail && inTheirWords(detail), action: action && inTheirWords(action) };
}

export const OPERATOR_ROUTES = {
  "GET /operators": route({ operation: "operators.read" }, operatorsPage),
  "GET /operators/:code/delivery": route(
    { operation: "operators.read", params: OPERATOR_PATH, query: DELIVERY_SPAN },
    (asked, { params, query }) => operatorDelivery(asked, params.code, query),
  ),
  "GET /operators/:code/tests": route(
    { operation: "operators.read", params: OPERATOR_PATH },
    (asked, { params }) => testsOf(asked, params.code),
  ),
  "POST /operators/:code/test": route(
    { operation: "operators.change", params: OPERATOR_PATH, body: TEST },
    (asked, { params, body }) => testOperator(asked, params.code, body),
  ),
  "POST /operators/pause": route(
    { operation: "operators.change", body: PAUSE_ALL },
    ({ context }, { body }) => everyOperatorPause(context, body.reason),
  ),
  "POST /operators/:code/pause": route(
    { operation: "operators.change", params: OPERATOR_PATH, body: PAUSE },
    (asked, { params, body }) => pauseOperator(asked, params.code, body),
  ),
  "POST /operators/:code/resume": route(
    { operation: "operators.change", params: OPERATOR_PATH, body: CONNECTION },
    (asked, { params, body }) => resumeOperator(asked, params.code, body),
  ),
  "POST /operators/:code/reconnect": route(
    { operation: "operators.change", params: OPERATOR_PATH, body: CONNECTION },
    (asked, { params, body }) => reconnectOperator(asked, params.code, body),
  ),
};
