import { describe, expect, test } from "vitest";
import { httpFixture, rawConnection, submission, submitTo } from "./fixture.ts";

describe("stopping", () => {
  test("lets a request under way finish, and refuses new connections", async () => {
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const fixture = await httpFixture({
      submit: (real) => async (accountId, request, onAccepted) => {
        arrived();
        await held;
        return real(accountId, request, onAccepted);
      },
    });
    const tenant = await fixture.tenant();
    const answer = submitTo(fixture, tenant, "last");
    await arrival;
    const closing = fixture.http.stop();
    await expect(fetch(`${fixture.http.url}/health/live`, { keepalive: false })).rejects.toThrow();
    open();
    expect((await answer).status).toBe(202);
    await closing;
    await fixture.close();
  });

  test("does not wait for connections that ask for nothing", async () => {
    const fixture = await httpFixture();
    const idle = rawConnection(fixture);
    idle.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await idle.until("live");
    await fixture.close();
    expect(await idle.closed()).toContain("200 OK");
  });

  test("gives up on an answer that takes longer than five seconds", async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const fixture = await httpFixture({
      submit: () => () => {
        arrived();
        return new Promise(() => {});
      },
    });
    const stuck = submitTo(fixture, await fixture.tenant(), "stuck").then(
      () => "answered",
      () => "broken off",
    );
    await arrival;
    const closing = fixture.close();
    await fixture.clock.advance(5000);
    await closing;
    expect(await stuck).toBe("broken off");
  });
});

// Keeps: decisions 3.39
test("the documentation and everything it loads come from the server itself", async () => {
  const fixture = await httpFixture();
  const get = (path: string) => fetch(fixture.http.url + path);
  for (const path of ["/docs", "/docs/errors"]) {
    const page = await get(path);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
    const html = await page.text();
    expect(html).not.toMatch(/https?:\/\//);
    for (const [, source = ""] of html.matchAll(/(?:src|href)="(\/[^"#]*)"/g)) {
      expect((await get(source)).status).toBe(200);
    }
  }
  expect((await get("/docs/swagger-ui.js")).headers.get("content-type")).toBe("text/javascript");
  expect((await get("/docs/swagger-ui.css")).headers.get("content-type")).toBe("text/css");
  expect(await (await get("/docs/start.js")).text()).toContain("/openapi.json");
  await fixture.close();
});

test("a submission of 10,000 recipients is answered in one piece", async () => {
  const fixture = await httpFixture();
  const tenant = await fixture.tenant();
  const recipients = Array.from({ length: 10_000 }, (_, index) => ({
    msisdn: `7012${String(index).padStart(4, "0")}`,
  }));
  const response = await submitTo(fixture, tenant, "large", submission({ recipients }));
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({
    data: { accepted: 10_000, rejected: 0, reserved_amount: 150_000 },
  });
  await fixture.close();
});
