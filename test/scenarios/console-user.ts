import { vi } from "vitest";
import type { Role } from "../../src/domain/accounts/roles.ts";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import type { Stage } from "./stage.ts";

const PASSWORD = "un mot de passe qui suffit";
const LIGHT_HASH = Bun.password.hashSync(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });

export type ConsoleAnswer = {
  readonly status: number;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
};

/** Somebody who is signed in to the console: asks a route of its pages. */
export type ConsoleUser = (method: string, path: string, body?: unknown) => Promise<ConsoleAnswer>;

/** Makes a user of the console by the command, who uses the link. `account`: null of staff. */
export async function enterConsole(
  whole: Pick<Stage, "admin" | "url" | "clock">,
  role: Role,
  account: string | null = null,
): Promise<ConsoleUser> {
  const login = `${role.toLowerCase()}@example.bf`;
  const of = account === null ? {} : { account };
  const { link } = await whole.admin("user create", { LOGIN: login, role, ...of });
  const secret = String(link).split("#")[1] ?? "";
  let cookie = "";
  const ask: ConsoleUser = async (method, path, body) => {
    const origin = whole.url();
    const isFile = body instanceof Uint8Array;
    const type = isFile ? "application/octet-stream" : "application/json";
    const answer = await fetch(`${origin}/console/api${path}`, {
      method,
      headers: { cookie, origin, "content-type": type },
      ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const set = answer.headers.get("set-cookie");
    if (set !== null) cookie = set.split(";")[0] ?? "";
    const text = await answer.text();
    return { status: answer.status, text, json: text.startsWith("{") ? JSON.parse(text) : {} };
  };
  const looked = await ask("POST", "/link/look", { secret });
  const { totp, proposal } = looked.json as {
    readonly totp: { readonly secretBase32: string };
    readonly proposal: string;
  };
  const code = deriveCode(totp.secretBase32, whole.clock.nowMs());
  const form = { secret, password: PASSWORD, code, proposal };
  // As little work as there can be: what is tried here is what comes after it.
  const hashing = vi.spyOn(Bun.password, "hash").mockResolvedValue(LIGHT_HASH);
  const used = await ask("POST", "/link/use", form);
  hashing.mockRestore();
  if (used.status !== 200) throw new Error(`${login} did not get in: ${used.text}`);
  return ask;
}
