/** Webhook endpoints as accounts made them: from answers to POST /webhooks, rotations, and what disturbed them since. */
import type { Exchange } from "./exchanges.ts";
import type { History } from "./history.ts";
import { list, text } from "./json.ts";
import { once } from "./once.ts";

export type Endpoint = {
  readonly webhookId: string;
  readonly account: string;
  readonly accountId: string;
  readonly url: string;
  /** As it was registered. */
  readonly events: readonly string[];
  /** An administrator gave it others. */
  readonly mayHaveOtherEvents: boolean;
  readonly madeFromMs: number;
  readonly madeAtMs: number;
  readonly secrets: readonly Secret[];
  /** A rotation whose answer was lost may have added a secret that nobody knows. */
  readonly mayHaveOtherSecret: boolean;
  /** Enabled from the beginning to the end, as far as anybody did or saw anything; only then must it be told all. */
  readonly isUndisturbed: boolean;
};

export type Secret = {
  readonly secret: string;
  readonly fromMs: number;
  /** From when on it surely counts. */
  readonly sureFromMs: number;
  /** Until then it verifies for certain; Infinity for the newest. */
  readonly untilMs: number;
};

const DAY_MS = 86_400_000;
const PATH = "/public/v1/webhooks";

const known = new WeakMap<History, readonly Endpoint[]>();

/** The endpoints whose making was acknowledged. */
export function endpointsOf(history: History): readonly Endpoint[] {
  const found = known.get(history) ?? readEndpoints(history);
  known.set(history, found);
  return found;
}

/** URLs at which an endpoint may be that nobody was told of. */
export const doubtfulUrls = once(readDoubtfulUrls);

function readDoubtfulUrls({ exchanges, commands }: History): ReadonlySet<string> {
  const asked = exchanges.filter(
    ({ method, path, answer }) => method === "POST" && path === PATH && answer === null,
  );
  const updated = commands.filter(({ name }) => name === "webhook update");
  return new Set([
    ...asked.flatMap(({ json }) => text(json, "url") ?? []),
    ...updated.flatMap(({ args }) => args.url ?? []),
  ]);
}

function readEndpoints(history: History): readonly Endpoint[] {
  return history.exchanges.flatMap((exchange) => {
    const { method, path, answer, client, askedAtMs } = exchange;
    if (method !== "POST" || path !== PATH || answer?.status !== 201) return [];
    const webhookId = text(answer.json, "data", "webhook_id");
    const url = text(answer.json, "data", "url");
    const account = history.accounts.get(client);
    if (webhookId === null || url === null || !account) return [];
    const rotations = history.exchanges.filter((other) => other.path === `${PATH}/${webhookId}/rotate`);
    return [
      {
        webhookId,
        url,
        account: client,
        accountId: account.accountId,
        events: list(answer.json, "data", "events").filter((type) => typeof type === "string"),
        madeFromMs: askedAtMs,
        madeAtMs: answer.atMs,
        secrets: secretsOf([exchange, ...rotations]),
        mayHaveOtherSecret: rotations.some((rotation) => rotation.answer === null),
        mayHaveOtherEvents: history.commands.some(
          ({ name, args }) => name === "webhook update" && args.WEBHOOK === webhookId,
        ),
        isUndisturbed: !wasDisturbed(history, webhookId),
      },
    ];
  });
}

function secretsOf(makings: readonly Exchange[]): readonly Secret[] {
  const made = makings.flatMap(({ answer, askedAtMs }) => {
    const secret = text(answer?.json, "data", "secret");
    return answer && secret !== null ? [{ secret, fromMs: askedAtMs, sureFromMs: answer.atMs }] : [];
  });
  return made.map((each, index) => ({ ...each, untilMs: (made[index + 1]?.fromMs ?? Infinity) + DAY_MS }));
}

function wasDisturbed({ exchanges, commands }: History, webhookId: string): boolean {
  const byClient = exchanges.some(
    ({ path }) => path === `${PATH}/${webhookId}/disable` || path === `${PATH}/${webhookId}/enable`,
  );
  const byCommand = commands.some(
    ({ name, args }) =>
      name.startsWith("webhook ") && args.WEBHOOK === webhookId && !/ (show|test|replay)$/.test(name),
  );
  const wasSeenOff = exchanges.some(({ path, answer }) =>
    path === PATH
      ? list(answer?.json, "data", "webhooks").some(
          (seen) => text(seen, "webhook_id") === webhookId && text(seen, "status") !== "ENABLED",
        )
      : false,
  );
  return byClient || byCommand || wasSeenOff;
}
