/** Plays what clients are refused for, those refusals included that no single request meets. */
import { answersIn, openRaw } from "../kit/raw-answers.ts";
import { type Asker, answerTo, dataOf, sent, shownAnswer, typedLine } from "./asking.ts";
import {
  batchOf,
  DRAWN,
  FAULTY,
  JASMIN_REFUSED,
  KANNEL_REFUSED,
  NOT_NOW,
  PREPARED,
  REFUSED,
  TOO_OFTEN,
} from "./refusals.ts";
import { API, type ApiRequest } from "./requests.ts";
import { pretty } from "./shown.ts";

const TEXT = { sender: "KIOSK", body: "Votre colis est là.", message_class: "TRANSACTIONAL" };
const ONE = [{ msisdn: "70555551" }];
/** Requests with one key, of which all but the first come too soon; where none does, there is another round. */
const AT_ONCE = 8;
const MAX_ROUNDS = 50;
/** More than may be asked at once. */
const MAX_ASKED = 1000;

/** Every refusal, each as it is answered. */
export async function playRefusals(asker: Asker): Promise<string[]> {
  const { world, known } = asker;
  for (const line of PREPARED) await dataOf(world, line);
  for (const { as, line, field } of DRAWN) known.set(as, String((await dataOf(world, line))[field]));
  const all = async (requests: readonly ApiRequest[]): Promise<string[]> => {
    const told: string[] = [];
    for (const request of requests) told.push(await answerTo(asker, request));
    return told;
  };
  return [
    ...(await all(REFUSED)),
    await inDebit(asker),
    await keyInUse(asker),
    await tooOften(asker, { path: `${API}/account/balance`, headers: { "x-api-key": "$OFTEN" } }),
    await suspendedMeanwhile(asker),
    ...(await all(FAULTY)),
    ...(await all(KANNEL_REFUSED)),
    ...(await all(JASMIN_REFUSED)),
    ...(await doorsTooOften(asker)),
    ...(await whileFull(asker, () => all(NOT_NOW))),
  ];
}

async function inDebit(asker: Asker): Promise<string> {
  await dataOf(asker.world, "wallet adjust kiosque -5 --reason mistake");
  return answerTo(asker, batchOf("$POOR", "debit", { ...TEXT, recipients: ONE }));
}

/** A key of idempotency while its first request runs, and once that was answered. */
async function keyInUse(asker: Asker): Promise<string> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const request = batchOf("$POOR", `in use ${round}`, { ...TEXT, recipients: [{ msisdn: "1" }] });
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => sent(asker, request)));
    const refused = answers.find(({ status }) => status === 409);
    if (refused === undefined) continue;
    const other = batchOf("$POOR", `in use ${round}`, { ...TEXT, recipients: ONE });
    return `${await shownAnswer(asker, request, refused)}\n${await answerTo(asker, other)}`;
  }
  throw new Error("none of many requests came while another one ran");
}

/** The first answer that says that it was asked too often. */
async function tooOften(asker: Asker, request: ApiRequest): Promise<string> {
  for (let asked = 0; asked < MAX_ASKED; asked++) {
    const answer = await sent(asker, request);
    const isTooOften = answer.status === 429 || answer.status === 503;
    if (isTooOften) return shownAnswer(asker, request, answer);
    await answer.text();
  }
  throw new Error(`${request.path} may be asked for ever`);
}

/** A user of both doors has one limit. */
async function doorsTooOften(asker: Asker): Promise<string[]> {
  const [kannel, jasmin] = TOO_OFTEN;
  const told = [await tooOften(asker, kannel), await shownAnswer(asker, jasmin, await sent(asker, jasmin))];
  await asker.world.pass(5000);
  return told;
}

/** The key was good when the head of the request came, and the account is suspended before its body is there. */
async function suspendedMeanwhile(asker: Asker): Promise<string> {
  const { world, known } = asker;
  const body = JSON.stringify({ ...TEXT, body: "Bonjour", recipients: ONE });
  const socket = await openRaw(world.portOf(8080), false);
  let heard = "";
  socket.on("data", (octets) => {
    heard += octets.toString("latin1");
  });
  const head = [
    `POST ${API}/batches HTTP/1.1`,
    "host: localhost",
    `x-api-key: ${known.get("$LATE")}`,
    "idempotency-key: suspended",
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await Bun.sleep(50);
  await world.pass(1000);
  await dataOf(world, "account suspend bureau --reason unpaid");
  socket.write(body);
  while (answersIn(heard).length === 0) {
    await Bun.sleep(5);
    await world.pass(250);
  }
  socket.destroy();
  const [answer] = answersIn(heard);
  return `> POST ${API}/batches\n${body}\n< ${answer?.status}\n${pretty(answer?.body ?? "")}\n`;
}

const STORAGE = "[storage]\n";
const RESERVED = `${STORAGE}reserve_megabytes = 1000000\n`;

/** What is answered while the disk has less left than its reserve, and what the commands say that set it. */
async function whileFull(asker: Asker, play: () => Promise<readonly string[]>): Promise<string[]> {
  const { world } = asker;
  world.edit(STORAGE, RESERVED);
  const before = [await typedLine(asker, "config diff"), await typedLine(asker, "config reload")];
  const told = await play();
  const health = `> GET /health/ready\n${pretty(await world.get(8080, "/health/ready"))}\n`;
  world.edit(RESERVED, STORAGE);
  await typedLine(asker, "config reload");
  return [...before, ...told, health];
}
