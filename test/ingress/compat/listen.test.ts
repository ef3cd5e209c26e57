/** An address of their own. */
import { expect, test } from "vitest";
import { rig } from "./rig.ts";

test("with an address of their own the doors are there alone, with nothing else, and gone with the appliance", async () => {
  const it = await rig({ kannel: true, jasmin: true, listen: "127.0.0.1:0" });
  await it.stage.clock.advance(2000);
  const urlNow = () =>
    String(
      it.stage.log().findLast(({ message }) => message === "clients of Kannel and Jasmin are answered")?.url,
    );
  const { user, password } = it.login;
  const query = new URLSearchParams({ username: user, password, to: "70000001", text: "Hello" });
  const own = urlNow();
  expect(own).not.toBe(it.stage.url());
  const sent = await fetch(`${own}/cgi-bin/sendsms?${query}`);
  expect([sent.status, await sent.text()]).toEqual([202, "0: Accepted for delivery"]);
  expect(await (await fetch(`${own}/ping`)).text()).toBe("Jasmin/PONG");
  expect((await fetch(`${it.stage.url()}/cgi-bin/sendsms?${query}`)).status).toBe(404);
  expect((await fetch(`${it.stage.url()}/ping`)).status).toBe(404);
  for (const path of ["/public/v1/account/balance", "/health", "/docs", "/metrics", "/console"]) {
    expect([path, (await fetch(`${own}${path}`)).status]).toEqual([path, 404]);
  }
  await it.stage.stop();
  await expect(fetch(`${own}/ping`)).rejects.toThrow();
  await it.stage.start();
  expect(await (await fetch(`${urlNow()}/ping`)).text()).toBe("Jasmin/PONG");
  await it.close();
});
