/** What a request brings is read as its route says: texts of an address become numbers, and an empty one is none. */
import { expect, test } from "vitest";
import type { PageContext } from "../../../src/console/server/routes/request-context.ts";
import type { Route } from "../../../src/console/server/routes/route.ts";
import { runRoute } from "../../../src/console/server/routes/run-route.ts";
import { ROUTES, type RouteName } from "../../../src/console/server/routes/table.ts";

/** Nobody is asked for who they are before what they bring is read. */
const NOBODY = {} as PageContext;

/** Where something is wrong with the query of a route. */
async function faults(name: RouteName, query: Readonly<Record<string, string>>): Promise<string[]> {
  const route = ROUTES[name] as unknown as Route;
  const params = { batch: "01KJPWD6M00000000000000083", account: "a", file: "b" };
  const wanted = Object.keys((route.params as { properties?: object } | undefined)?.properties ?? {});
  const known = Object.fromEntries(Object.entries(params).filter(([key]) => wanted.includes(key)));
  const answered = await runRoute(route, NOBODY, { params: known, query, body: undefined });
  if (answered.kind !== "refused") throw new Error("it was answered");
  expect([answered.status, answered.code]).toEqual([422, "VALIDATION_FAILED"]);
  return answered.faults.map(({ path }) => path);
}

test.each([
  ["GET /batches/:batch/rejections", { from: "", limit: "0" }, ["/from", "/limit"]],
  ["GET /batches/:batch/rejections", { from: "x", unknown: "y" }, ["/unknown", "/from"]],
  ["GET /send/:account/files/:file", { column: "" }, ["/column"]],
  ["GET /suppressions/number", { number: "70000001", account: "" }, ["/account"]],
  ["GET /suppressions/number", { account: "a" }, ["/number"]],
] as const)("%s with %j is refused at %j", async (name, query, paths) => {
  expect(await faults(name, query)).toEqual([...paths]);
});
