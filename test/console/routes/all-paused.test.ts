/** When nothing leaves because everything is paused, it is said who paused it, when and why. */
import { expect, test } from "vitest";
import type { ServerHandle } from "../../../src/admin/operations/context.ts";
import { listTotalPauses } from "../../../src/console/server/routes/appliance.ts";

const called = (one: string): string => (one === "orange" ? "Orange Burkina" : one);
const naming = { operator: called, webhook: called, account: called };
const pause = { reason: "incident", actor: "oumar@example.bf", atMs: Date.UTC(2026, 2, 2, 0, 36) };

function pausedOf(operators: Record<string, readonly (typeof pause | null)[]>, numbers: unknown[] = []) {
  const status = Object.entries(operators).map(([operator, pauses]) => ({
    operator,
    connections: pauses.map((paused) => ({ paused })),
  }));
  const server = { operatorStatus: () => status, numberStatus: () => numbers } as unknown as ServerHandle;
  return listTotalPauses(server, naming);
}

test("every pause is told, by the name of its operator", () => {
  const number = { operator: "whatsapp:main", paused: { reason: "bill", atMs: 0 } };
  expect(pausedOf({ orange: [pause, pause] }, [number])).toEqual([
    {
      name: "Orange Burkina",
      since: "2026-03-02T00:36:00.000Z",
      by: "oumar@example.bf",
      reason: "incident",
    },
    { name: "whatsapp:main", since: "1970-01-01T00:00:00.000Z", by: null, reason: "bill" },
  ]);
});

test("where one connection may send, or there is none, not everything is paused", () => {
  expect(pausedOf({ orange: [pause, null] })).toEqual([]);
  expect(pausedOf({ orange: [pause], moov: [null] })).toEqual([]);
  expect(pausedOf({})).toEqual([]);
  expect(listTotalPauses(null, naming)).toEqual([]);
});
