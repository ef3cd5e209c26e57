/** The first lines of every file that people take away: from the console as each role and language sees it, and by `--csv`. */

import type { Role, UserLanguage } from "../../src/domain/accounts/roles.ts";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import { type Asker, dataOf, withKnown, wordsOf } from "./asking.ts";

const PASSWORD = "un mot de passe qui suffit";
const LANGUAGES: readonly UserLanguage[] = ["en", "fr"];
/** The heads and what stands below them. */
const LINES = 4;

/** Commands with `--csv`, each with what it takes. */
export const CSV_COMMANDS: readonly string[] = [
  "wallet statement pharma",
  "wallet statement pharma --batch $BATCH_ID",
  "wallet statement pharma --batches",
  "wallet invoice pharma",
  "suppression list pharma",
  "batch rejections $FIRST_BATCH",
  "message find --account pharma --limit 3",
  "report delivery",
  "report delivery --by operator",
  "report margin",
  "route export",
  "audit list --limit 3",
];

/** Files of the console by their routes, with what is asked for beside what a route names. */
export const CONSOLE_FILES: readonly { readonly route: string; readonly query?: string }[] = [
  { route: "GET /audit.csv" },
  { route: "GET /accounts/:account/statement.csv" },
  { route: "GET /send/:account/files/:file/left-out.csv" },
  { route: "GET /batches/:batch/left-out.csv" },
  { route: "GET /batches/:batch/people.csv" },
  { route: "GET /batches/:batch/report.csv" },
  { route: "GET /batches/:batch/report.csv", query: "together=true" },
  ...["day", "operator", "sender", "class", "error", "account"].map((by) => ({
    route: "GET /reports/delivery.csv",
    query: `by=${by}`,
  })),
  { route: "GET /reports/margin.csv", query: "by=account" },
];

/** Somebody who is signed in, for whom files are written. */
type Person = { readonly role: Role; readonly cookie: string };

/** Every file, by the route or command that makes it. */
export async function playFiles(asker: Asker): Promise<string[]> {
  const told: string[] = [];
  for (const line of CSV_COMMANDS) told.push(await typedCsv(asker, line));
  const people = [
    await signedIn(asker, "OWNER", "user create owner@example.bf --role OWNER"),
    await signedIn(
      asker,
      "ACCOUNT_ADMIN",
      "user create admin@example.bf --role ACCOUNT_ADMIN --account pharma",
    ),
  ];
  for (const person of people) {
    const places = await broughtBy(asker, person);
    for (const { route, query } of CONSOLE_FILES) {
      for (const language of LANGUAGES)
        told.push(await fileOf(asker, person, { route, query, language, places }));
    }
  }
  return told;
}

async function typedCsv(asker: Asker, line: string): Promise<string> {
  const words = wordsOf(line).map((word) => withKnown(asker, word));
  const files: string[] = [];
  for (const language of LANGUAGES) {
    const { text } = await asker.world.type(["--language", language, ...words, "--csv"], "pipe");
    files.push(firstLines(text));
  }
  const [english, french] = files;
  const inFrench = french === english ? "the same in French" : `in French:\n${french}`;
  return `$ bendre ${line} --csv\n${english}\n${inFrench}\n`;
}

/** Makes a user and uses the link as a browser does. */
async function signedIn(asker: Asker, role: Role, line: string): Promise<Person> {
  const { world } = asker;
  const made = await dataOf(world, line);
  const secret = String(made.link).split("#")[1] ?? "";
  const looked = await posted(asker, "/link/look", { secret }, "");
  const { totp, proposal } = (await looked.json()) as { totp: { secretBase32: string }; proposal: string };
  const code = deriveCode(totp.secretBase32, world.nowMs());
  const used = await posted(asker, "/link/use", { secret, password: PASSWORD, code, proposal }, "");
  const cookie = used.headers.get("set-cookie")?.split(";")[0];
  if (!used.ok || cookie === undefined) throw new Error(`${line}: ${used.status} ${await used.text()}`);
  return { role, cookie };
}

const FILE = "telephone;nom\n70777771;Awa\nabc;Zoé\n70777771;Awa\n50111112;Ali\n70777772;\n";

/** Brings a file, has it quoted and sends it; what stands for the names in routes from then on. */
async function broughtBy(asker: Asker, person: Person): Promise<Readonly<Record<string, string>>> {
  const { world } = asker;
  const { account_id: account } = await dataOf(world, "account show pharma");
  const brought = await posted(asker, `/send/${account}/files`, FILE, person.cookie);
  const { file_id: file } = (await brought.json()) as { file_id: string };
  const wanted = {
    file,
    column: null,
    sender: "PHARMA",
    message_class: "TRANSACTIONAL",
    body: `Bonjour {nom}, de ${person.role}`,
    missing_attributes: "reject",
    client_reference: person.role,
  };
  const quoted = await posted(asker, `/send/${account}/quote`, wanted, person.cookie);
  if (!quoted.ok) throw new Error(`${quoted.status} ${await quoted.text()}`);
  const key = `a-key-of-a-form-${person.role.length}`;
  const sent = await posted(asker, `/send/${account}`, { ...wanted, key }, person.cookie);
  const { batch_id: batch } = (await sent.json()) as { batch_id: string };
  await world.pass(20_000);
  return { ":account": String(account), ":file": file, ":batch": batch };
}

function posted({ world }: Asker, path: string, body: unknown, cookie: string): Promise<Response> {
  const origin = `http://127.0.0.1:${world.portOf(8080)}`;
  const isFile = typeof body === "string";
  return fetch(`${origin}/console/api${path}`, {
    method: "POST",
    headers: {
      origin,
      cookie,
      "content-type": isFile ? "text/csv" : "application/json",
    },
    body: isFile ? body : JSON.stringify(body),
  });
}

type Wanted = {
  readonly route: string;
  readonly query: string | undefined;
  readonly language: UserLanguage;
  readonly places: Readonly<Record<string, string>>;
};

async function fileOf(
  { world }: Asker,
  { role, cookie }: Person,
  { route, query, language, places }: Wanted,
): Promise<string> {
  const [, pattern = ""] = route.split(" ");
  const path = pattern.replaceAll(/:\w+/g, (place) => places[place] ?? place);
  const asked = query === undefined ? "" : `?${query}`;
  const answer = await fetch(`http://127.0.0.1:${world.portOf(8080)}/console/api${path}${asked}`, {
    headers: { cookie, "accept-language": language },
  });
  const heads = [answer.headers.get("content-type"), answer.headers.get("content-disposition")];
  const text = Buffer.from(await answer.arrayBuffer()).toString("utf8");
  await world.pass(250);
  return `> ${route}${asked} (${role}, ${language})\n< ${answer.status}\n${heads.join("\n")}\n${firstLines(text)}\n`;
}

/** The first lines of a file, its byte order mark and its line ends to be seen. */
function firstLines(text: string): string {
  const lines = text.replaceAll("\ufeff", "\\ufeff").split("\n");
  return lines
    .slice(0, LINES)
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("\r", "\\r"))
    .join("\n");
}
