/** A client company of a measurement: made by commands, sends by HTTP. */
import { httpLoad, type Shot } from "./http-load.ts";
import type { SmppLogin } from "./smpp-load.ts";

export type MessageClass = "OTP" | "TRANSACTIONAL" | "MARKETING";

export type ClientCompany = {
  readonly apiKey: string;
  /** Makes an SMPP user with as many binds as one may have. */
  readonly smppUser: (systemId: string) => SmppLogin;
  /** Registers an endpoint. */
  readonly hook: (url: string) => Promise<void>;
  /** Posts one submission after the other; the ids of the batches. */
  readonly submit: (bodies: readonly string[]) => Promise<readonly string[]>;
  /** What one submission would come to. */
  readonly quote: (body: string) => Promise<{ accepted: number }>;
  readonly batch: (id: string) => Promise<{ status: string }>;
  /** Single-recipient requests, each with an idempotency key of its own, over connections that are kept. */
  readonly singles: (load: Singles) => Promise<readonly Shot[]>;
};

export type Singles = {
  readonly messageClass: MessageClass;
  /** To the numbers from this one on, without the country code. */
  readonly from: number;
  /** How many; as many as come until `isOver` where that is given. */
  readonly count: number;
  readonly connections: number;
  readonly perSecond?: number;
  readonly isOver?: () => boolean;
};

let companies = 0;

/** Makes a company with funds, the sender BENCH and a key, by the commands of the product. @throws what a command complains of. */
export function newCompany(port: number, command: readonly string[], config: string): ClientCompany {
  const admin = (...words: string[]): Record<string, string> => {
    const run = Bun.spawnSync([...command, ...words, "--config", config, "--json"]);
    const { data } = JSON.parse(run.stdout.toString() || "{}") as { data?: Record<string, string> };
    if (!data) throw new Error(`${words.join(" ")}: ${run.stdout}${run.stderr}`);
    return data;
  };
  companies += 1;
  const name = `Bench ${companies}`;
  const account = admin("account", "create", "--name", name, "--billing", "prepaid").account_id ?? "";
  admin("wallet", "topup", account, "900000000000", "--reference", name);
  admin("sender", "request", account, "BENCH");
  admin("sender", "approve", account, "BENCH");
  admin("sender", "register", account, "BENCH", "--operator", "bench");
  const apiKey = admin("key", "create", account, "--name", "bench", "--scopes", "all").api_key ?? "";
  const smppUser = (systemId: string): SmppLogin => {
    const limits = ["--max-binds", "50", "--throughput", "5000", "--window", "1000"];
    const from = ["--tls", "optional", "--networks", "127.0.0.1/32"];
    const made = admin("smpp", "create", account, "--system-id", systemId, ...limits, ...from);
    return { systemId, password: made.password ?? "" };
  };
  return { ...clientOf(port, apiKey, `company-${companies}`), smppUser };
}

function clientOf(port: number, apiKey: string, tag: string): Omit<ClientCompany, "smppUser"> {
  const base = `http://127.0.0.1:${port}/public/v1`;
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const ask = async <T>(path: string, init: { method?: string; body?: string; key?: string } = {}) => {
    const { key, ...rest } = init;
    const answer = await fetch(`${base}${path}`, {
      ...rest,
      headers: { ...headers, ...(key && { "idempotency-key": key }) },
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  };
  let keys = 0;
  return {
    apiKey,
    hook: async (url) => {
      await ask("/webhooks", { method: "POST", body: JSON.stringify({ url }) });
    },
    submit: async (bodies) => {
      const ids: string[] = [];
      for (const body of bodies) {
        keys += 1;
        const init = { method: "POST", body, key: `${tag}-bulk-${keys}` };
        ids.push((await ask<{ batch_id: string }>("/batches", init)).batch_id);
      }
      return ids;
    },
    quote: (body) => ask("/batches/quote", { method: "POST", body }),
    batch: (id) => ask(`/batches/${id}`),
    singles: async ({ messageClass, from, count, connections, perSecond, isOver = () => false }) => {
      keys += 1;
      const prefix = `${tag}-single-${keys}`;
      const head =
        `POST /public/v1/batches HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\n` +
        "Content-Type: application/json\r\n";
      const request = (index: number): string | null => {
        if (index >= count || isOver()) return null;
        const body = singleBody(messageClass, from + index);
        return `${head}Idempotency-Key: ${prefix}-${index}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      };
      const shots = await httpLoad({ port, connections, request, ...(perSecond && { perSecond }) });
      const refused = shots.find(({ status }) => status !== 202);
      if (refused) throw new Error(`a single request was answered with ${refused.status}`);
      return shots;
    },
  };
}

/** Numbers whose last five digits are from here on choose what the simulated operator does with them. */
const CHOSEN = 99_000;

function msisdn(number: number): string {
  const plain = number + Math.floor(number / CHOSEN) * (100_000 - CHOSEN);
  return `7${String(plain % 10_000_000).padStart(7, "0")}`;
}

/** As an operator sees the number. */
export const addressOf = (number: number): string => `226${msisdn(number)}`;

function singleBody(messageClass: MessageClass, number: number): string {
  const body = `Votre code est ${number}. Ne le donnez a personne.`;
  return JSON.stringify({
    sender: "BENCH",
    body,
    message_class: messageClass,
    recipients: [{ msisdn: msisdn(number) }],
  });
}

/** Submissions of `count` recipients in all, `each` in one, with two attributes a recipient. */
export function bulkBodies(
  count: number,
  each: number,
  messageClass: MessageClass,
  from = 0,
): readonly string[] {
  const bodies: string[] = [];
  for (let first = from; first < from + count; first += each) {
    const size = Math.min(each, from + count - first);
    const recipients = Array.from({ length: size }, (_, index) => ({
      msisdn: msisdn(first + index),
      attributes: { nom: `Awa ${first + index}`, n: String(first + index) },
    }));
    const body = "Bonjour {nom}, votre commande {n} est disponible au comptoir.";
    bodies.push(JSON.stringify({ sender: "BENCH", body, message_class: messageClass, recipients }));
  }
  return bodies;
}

/** One submission of `count` recipients whose texts need UCS-2, by the body and by what stands in the attributes. */
export function quoteBody(count: number, from = 0): string {
  const recipients = Array.from({ length: count }, (_, index) => ({
    msisdn: msisdn(from + index),
    attributes: { nom: `François-${from + index}`, quartier: "Zogona – près de l’église" },
  }));
  const body =
    "Bonjour {nom}, votre reçu est prêt à l’agence de {quartier}. Merci d’apporter votre pièce d’identité…";
  return JSON.stringify({ sender: "BENCH", body, message_class: "TRANSACTIONAL", recipients });
}
