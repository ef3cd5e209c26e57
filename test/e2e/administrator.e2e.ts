/** What an administrator meets: health, names for accounts, refusals on the screen, and looks without a server. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "./api.ts";
import { type Appliance, appliance } from "./appliance.ts";
import { run } from "./executable.ts";

let bendre: Appliance;
beforeAll(async () => {
  bendre = await appliance({ operators: { orange: [], moov: "away" } });
});
afterAll(() => bendre?.close());

const health = async (headers: Record<string, string> = {}) => {
  const answer = await fetch(`${bendre.url()}/health`, { headers });
  return { status: answer.status, data: ((await answer.json()) as { data: Json }).data };
};
const configured = (...words: string[]) => run(...words, "--config", bendre.config);

describe("health", () => {
  test("is degraded while an operator is away, names it on this machine only, and requests are taken", async () => {
    const { status, data } = await health();
    expect([status, data.status]).toEqual([200, "degraded"]);
    const operators = (data.checks as Json[]).find(({ name }) => name === "operators");
    expect(operators?.detail).toContain("moov has been down since");
    expect((await health({ "X-Forwarded-For": "198.51.100.7" })).data).toEqual({ status: "degraded" });
    expect((await fetch(`${bendre.url()}/health/ready`)).status).toBe(200);
  });
});

describe("a command", () => {
  test("takes an account by its short name, its name or the end of its id, and says whose wallet it changed", () => {
    const words = ["--name", "Pharmacie du Marché", "--short-name", "pharma", "--billing", "prepaid"];
    const id = String(bendre.admin("account", "create", ...words).account_id);
    for (const [index, name] of ["pharma", "pharmacie du marche", id.slice(-8).toLowerCase(), id].entries()) {
      expect(bendre.admin("wallet", "topup", name, "500", "--reference", `r${index}`)).toMatchObject({
        account_id: id,
        account: "Pharmacie du Marché",
        balance: 500 * (index + 1),
        already_counted_at: null,
      });
    }
    const again = bendre.admin("wallet", "topup", "pharma", "500", "--reference", "r0");
    expect(again).toMatchObject({ balance: 2000, note: expect.stringContaining("already counted on") });
    expect(bendre.refused("account", "show", "pharmasie").detail).toContain(
      'did you mean "Pharmacie du Marché"',
    );
    expect(bendre.refused("account", "create", "--name", "PHARMA", "--billing", "prepaid").code).toBe(
      "NAME_TAKEN",
    );
  });

  test("that is wrong shows how it is called and then, last, what was wrong", () => {
    const { exitCode, stdout, stderr } = run("wallett", "show");
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(
      'bendre: unknown command "wallett show"; did you mean "wallet show"?',
    );
  });
});

describe("operator status", () => {
  test("tells of every connection by number, from 1 as in the log, and what waits for each operator", () => {
    const { queues, connections } = bendre.admin("operator", "status") as {
      queues: Json[];
      connections: Json[];
    };
    expect(queues).toMatchObject([
      { operator: "orange", is_configured: true, waiting: 0 },
      { operator: "moov", is_configured: true, waiting: 0 },
    ]);
    expect(connections.map(({ operator, connection, state }) => [operator, connection, state])).toEqual([
      ["orange", 1, "BOUND"],
      ["moov", 1, expect.not.stringContaining("BOUND")],
    ]);
    const links = bendre
      .log()
      .split("\n")
      .filter((line) => line.includes('"connection":'));
    expect(links.length).toBeGreaterThan(0);
    expect(links.every((line) => line.includes('"connection":1'))).toBe(true);
  });

  test("without a server exits 1 and says how to start one; config check looks without leaving a trace", async () => {
    expect(await bendre.end("SIGTERM")).toBe(0);
    expect(bendre.refused("operator", "status").code).toBe("SERVER_NOT_RUNNING");
    const check = configured("config", "check", "--json");
    expect(check.exitCode).toBe(0);
    expect((JSON.parse(check.stdout) as { data: Json }).data).toMatchObject({ directory_state: "looked at" });
  });
});
