/** A console over HTTP whose account may send, and somebody of it who does. */

import { senderApprove, senderRegister, senderRequest } from "../../../src/admin/operations/senders.ts";
import { walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import type { Role } from "../../../src/domain/accounts/roles.ts";
import { filesHere } from "../../kit/files-here.ts";
import { testClock } from "../../kit/test-clock.ts";
import { consoleFixture } from "../fixture.ts";

export type Json = Record<string, unknown>;

export async function sendFixture() {
  const place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()), startThread: filesHere });
  const { context, origin } = place;
  const account = await place.admin.account();
  await walletTopUp(context, account, 100_000, "first");
  await senderRequest(context, account, "SHOP");
  await senderApprove(context, account, "SHOP");
  await senderRegister(context, account, "SHOP", "orange");
  /** The cookie of somebody who signed in. */
  const entered = async (login: string, role: Role = "ACCOUNT_SENDER", of: string | null = account) =>
    (await place.entered(login, role, of)).cookie;
  const cookie = await entered("salif@example.bf");
  async function ask(
    method: string,
    path: string,
    body?: Uint8Array<ArrayBuffer> | Json,
    as = cookie,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const isFile = body instanceof Uint8Array;
    const answer = await fetch(`${origin}/console/api${path}`, {
      method,
      headers: {
        cookie: as,
        origin,
        "content-type": isFile ? "application/octet-stream" : "application/json",
        ...headers,
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    });
    // With the byte order mark, where there is one.
    const text = Buffer.from(await answer.arrayBuffer()).toString("utf8");
    return { status: answer.status, text, json: (text.startsWith("{") ? JSON.parse(text) : {}) as Json };
  }
  const bring = (bytes: Uint8Array, as = cookie) =>
    ask("POST", `/send/${account}/files`, new Uint8Array(bytes), as);
  return { place, account, cookie, entered, ask, bring };
}

export type SendFixture = Awaited<ReturnType<typeof sendFixture>>;

export const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

export const BATCH = {
  column: null,
  sender: "SHOP",
  message_class: "TRANSACTIONAL",
  body: "Bonjour {Prénom}",
};
export const KEY = "0123456789abcdef";
