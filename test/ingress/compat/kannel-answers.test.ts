/** Kannel's own answers, beside ours. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallbackContent, renderKannelUrl } from "../../../src/ingress/compat/callback-request.ts";
import { ALIKE, type Answer, type Document, FILLED, OTHERWISE, POSTED, WRITTEN } from "./kannel-answers.ts";
import { type Rig, rig } from "./rig.ts";

let it: Rig;
let asked = 0;
beforeAll(async () => {
  it = await rig();
  // A user whose requests must name their sender, as those of smsbox.
  const made = await it.stage.admin("compat create", { ACCOUNT: it.client.accountId, user: "asks" });
  it.login = { user: "asks", password: String(made.password) };
  // Connections to operators take a moment.
  await it.stage.clock.advance(2000);
});
afterAll(() => it.close());

async function answerTo(query: string): Promise<Answer> {
  asked += 1;
  const login = `username=${it.login.user}&password=${it.login.password}`;
  const written = query.replace("@", login).replace("#", `text+${asked}`);
  const response = await fetch(`${it.stage.url()}/cgi-bin/sendsms?${written}`);
  expect(response.headers.get("content-type")).toBe("text/html");
  // Wrong tries are counted by the minute.
  await it.stage.clock.advance(6001);
  return [response.status, await response.text()];
}

test("what smsbox says of a query is said here, to the letter", async () => {
  for (const [query, answer] of ALIKE) expect([query, await answerTo(query)]).toEqual([query, answer]);
});

test("what would become another message, or none, is refused in words of smsbox", async () => {
  for (const [query, kannel, ours] of OTHERWISE) {
    expect([query, await answerTo(query)]).toEqual([query, ours]);
    expect(kannel).not.toEqual(ours);
  }
});

test("what smsbox says of a posted text is said here", async () => {
  for (const { type, headers, answer } of POSTED) {
    asked += 1;
    const { user, password } = it.login;
    const all = { username: user, password, from: "ACME", ...headers };
    const response = await fetch(`${it.stage.url()}/cgi-bin/sendsms`, {
      method: "POST",
      headers: [
        ...Object.entries(all).map(([name, value]): [string, string] => [`X-Kannel-${name}`, value]),
        ...(type === null ? [] : [["content-type", type] as [string, string]]),
      ],
      body: `posted ${asked}`,
    });
    expect([type, headers, response.status, await response.text()]).toEqual([type, headers, ...answer]);
    await it.stage.clock.advance(6001);
  }
});

function documentOf({ ud, da, oa, from, more = "" }: Document): string {
  asked += 1;
  const login = "<from><username>@u</username><password>@p</password></from>";
  const text = ud === undefined ? `Text ${asked}` : ud;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE message SYSTEM "kannel.dtd">
<message>
  <submit>${da ?? "<da><number>70000001</number></da>"}
    ${oa ?? "<oa><number>ACME</number></oa>"}<ud>${text}</ud> ${from ?? login}${more}
  </submit>
</message>`;
}

test("what smsbox says of its XML is said here, and the text is read as it reads it", async () => {
  for (const [document, answer, text] of WRITTEN) {
    const written = typeof document === "string" ? document : documentOf(document);
    const { user, password } = it.login;
    const response = await fetch(`${it.stage.url()}/cgi-bin/sendsms`, {
      method: "POST",
      headers: { "content-type": "text/xml" },
      body: written.replace("@u", user).replace("@p", password),
    });
    expect([document, response.status, await response.text()]).toEqual([document, ...answer]);
    await it.stage.clock.advance(6001);
    if (text === undefined) continue;
    const { messages } = (await it.stage.admin("message find", {
      number: "70000001",
      limit: "1",
    })) as unknown as { messages: readonly { message_id: string }[] };
    const asking = { MESSAGE: String(messages[0]?.message_id), reason: "a test looks" };
    expect(JSON.stringify(await it.stage.admin("message text", asking))).toContain(JSON.stringify(text));
  }
});

test("a document that is deeper than any, or never ends, is nobody's and takes no time", async () => {
  for (const body of [
    "<a>".repeat(20_000),
    "<!--".repeat(15_000),
    "<a ".repeat(20_000),
    "&".repeat(60_000),
  ]) {
    const response = await fetch(`${it.stage.url()}/cgi-bin/sendsms`, {
      method: "POST",
      headers: { "content-type": "text/xml" },
      body,
    });
    expect(response.status).toBe(403);
    await it.stage.clock.advance(6001);
  }
});

describe("escapes", () => {
  const told: CallbackContent = {
    event: 1,
    messageUlid: "01K",
    receiver: "0022670000001",
    sender: "ACME",
    user: "faso",
    operator: "moov",
    remoteId: "id",
    errorCode: null,
    operatorCode: null,
    atMs: 1_795_425_592_000,
  };
  const filled = (letter: string, of: Partial<CallbackContent> = {}) =>
    renderKannelUrl(`http://a/?v=%${letter}`, { ...told, ...of }).slice("http://a/?v=".length);

  test("of a delivery say what Kannel's say", () => {
    for (const [letter, value] of Object.entries(FILLED.delivered))
      expect([letter, filled(letter)]).toEqual([letter, value]);
    expect([filled("t"), filled("T")]).toEqual(["2026-11-23+09:19:52", "1795425592"]);
    expect(filled("A")).toBe(
      "id%3Aid+sub%3A001+dlvrd%3A001+submit+date%3A2611230919+done+date%3A2611230919+stat%3ADELIVRD+err%3A000+text%3A",
    );
  });

  test("of the operator's answer say what Kannel's say", () => {
    for (const [letter, value] of Object.entries(FILLED.taken))
      expect([letter, filled(letter, { event: 8 })]).toEqual([letter, value]);
    const refused = {
      event: 16,
      remoteId: "",
      operatorCode: "0x0B",
      errorCode: "OPERATOR_REJECTED",
    } as const;
    for (const [letter, value] of Object.entries(FILLED.refused))
      expect([letter, filled(letter, refused)]).toEqual([letter, value]);
    expect(filled("k", refused)).toBe("NACK%2F0x0000000b%2FESME_RINVDSTADR");
  });

  test("take the words of an answer one by one, and what is left of them", () => {
    expect(renderKannelUrl("http://a/?%k|%s|%S|%r", told)).toMatch(
      /^http:\/\/a\/\?id%3Aid\|sub%3A001\|dlvrd:001\|submit\+date/,
    );
    expect(renderKannelUrl("http://a/?x=%", told)).toBe("http://a/?x=%");
  });
});
