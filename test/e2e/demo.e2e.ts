/** The demo as a person ends it. */
import { expect, test } from "vitest";
import type { Json } from "./api.ts";
import { start } from "./executable.ts";

test("ends by its first signal, also after a file was brought", async () => {
  const demo = start("demo", "--language", "en");
  const link = () => /^console +(\S+)/m.exec(demo.stdout())?.[1];
  await demo.until(() => link() !== undefined);
  const answer = await fetch(String(link()), { redirect: "manual" });
  const home = new URL(String(answer.headers.get("location")), String(link())).href;
  const cookie = String(answer.headers.get("set-cookie")).split(";")[0] ?? "";
  const ask = async (path: string, body?: string): Promise<Json> => {
    const asked = await fetch(`${home}/api${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { cookie, origin: new URL(home).origin, "content-type": "application/octet-stream" },
      ...(body !== undefined && { body }),
    });
    expect([path, asked.status]).toEqual([path, 200]);
    return (await asked.json()) as Json;
  };
  const [account] = (await ask("/accounts")).accounts as Json[];
  expect(await ask(`/send/${String(account?.account_id)}/files`, "tel\n70123456\n")).toMatchObject({
    recipients: 1,
  });
  demo.signal("SIGINT");
  expect(await Promise.race([demo.ended, Bun.sleep(20_000)])).toBe(0);
});
