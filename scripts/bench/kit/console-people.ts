/** People in front of the console, for measurements: they sign in as the first ones do, by a link, a password and a second factor. */
import { deriveCode } from "../../../src/domain/accounts/second-factor.ts";

const PASSWORD = "un mot de passe qui suffit";
const STEP_MS = 30_000;

let people = 0;

/** Lets an owner in, made by a command of the product; the cookie of the session. @throws what refuses it. */
export async function signedIn(url: string, command: readonly string[], config: string): Promise<string> {
  people += 1;
  const login = `owner-${people}@bench.example`;
  const words = ["user", "create", login, "--role", "OWNER", "--config", config, "--json"];
  const made = Bun.spawnSync([...command, ...words]);
  const { data } = JSON.parse(made.stdout.toString() || "{}") as { data?: { link: string } };
  if (!data) throw new Error(`user create: ${made.stdout}${made.stderr}`);
  const secret = data.link.split("#")[1] ?? "";
  const post = async (path: string, body: object, cookie = ""): Promise<Response> => {
    const answer = await fetch(`${url}/console/api${path}`, {
      method: "POST",
      headers: { origin: url, "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const { totp, proposal } = (await (await post("/link/look", { secret })).json()) as {
    totp: { secretBase32: string };
    proposal: string;
  };
  // Each code counts once; those of the half minutes beside this one are taken too.
  const code = (steps: number) => deriveCode(totp.secretBase32, Date.now() + steps * STEP_MS);
  await post("/link/use", { secret, password: PASSWORD, code: code(-1), proposal });
  const first = cookieOf(await post("/sign-in", { login, password: PASSWORD }));
  const second = cookieOf(await post("/second-factor", { code: code(0) }, first));
  return second === "" ? first : second;
}

function cookieOf(answer: Response): string {
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

export type People = {
  /** Nobody clicks any more; how many pages were asked for. @throws when one was refused. */
  readonly leave: () => Promise<number>;
};

/** Has people look at live figures and click through pages, each at a page every `everyMs`. */
export function browse(
  url: string,
  cookies: readonly string[],
  pages: readonly string[],
  everyMs: number,
): People {
  const gone = new AbortController();
  let clicks = 0;
  const person = async (cookie: string, place: number): Promise<void> => {
    const headers = { cookie };
    const live = fetch(`${url}/console/api/live`, { headers, signal: gone.signal });
    const watching = live.then((answer) => answer.arrayBuffer()).catch(() => {});
    for (let click = place; !gone.signal.aborted; click++) {
      const began = performance.now();
      const answer = await fetch(`${url}/console/api${pages[click % pages.length] ?? ""}`, { headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
      clicks += 1;
      await Bun.sleep(Math.max(0, everyMs - (performance.now() - began)));
    }
    await watching;
  };
  const all = Promise.all(cookies.map(person));
  all.catch(() => {});
  return {
    leave: async () => {
      gone.abort();
      await all;
      return clicks;
    },
  };
}
